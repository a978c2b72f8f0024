import { type Verdict, verdicts } from '../model/verdict.ts'
import type { Report } from './report.ts'
import { escapeControls, formatNumber, wrap } from './text.ts'

/** A check with different verdicts in two runs. */
export interface Change {
  readonly id: string
  readonly before: Verdict | undefined
  readonly after: Verdict | undefined
}

export interface Comparison {
  readonly broke: readonly Change[]
  readonly fixed: readonly Change[]
  /** Checks that are neither broken nor fixed, because they were added, were removed, or became untestable. */
  readonly other: readonly Change[]
}

/** These verdicts don't show whether the target meets the requirement. */
const untested: readonly (Verdict | undefined)[] = [undefined, 'UNTESTABLE', 'NOT APPLICABLE', 'KIT ERROR']

const passed = verdicts.indexOf('PASS')

const rank = (verdict: Verdict | undefined): number =>
  verdict === undefined ? -1 : verdicts.indexOf(verdict)

const isWorse = ({ before, after }: Change): boolean =>
  rank(after) > passed && (untested.includes(before) || rank(after) > rank(before))

/** Returns whether the verdict improved. A check counts only if it ran in both runs. */
const isBetter = ({ before, after }: Change): boolean =>
  rank(before) > passed && !untested.includes(after) && rank(after) < rank(before)

/** Compares two runs: which checks broke, which were fixed, and which changed in other ways. */
export const compareReports = (before: Report, after: Report): Comparison => {
  const old = new Map(before.results.map(({ id, verdict }) => [id, verdict]))
  const now = new Map(after.results.map(({ id, verdict }) => [id, verdict]))
  const changes = [...new Set([...old.keys(), ...now.keys()])]
    .sort()
    .map((id) => ({ id, before: old.get(id), after: now.get(id) }))
    .filter((change) => change.before !== change.after)
  const broke = changes.filter(isWorse)
  const fixed = changes.filter((change) => !isWorse(change) && isBetter(change))
  return {
    broke,
    fixed,
    other: changes.filter((change) => !isWorse(change) && !isBetter(change)),
  }
}

/** The maximum number of checks to list for each change. All other checks are only counted. */
const maxPlaces = 6

/** Converts an ID such as `requirement@operation@version#variant` to `operation version (variant)`. */
const checkName = (id: string): string => {
  const [, operation = '', version = '', variant] = /^[^@]*@([^@]*)@([^#]*)(?:#(.*))?$/s.exec(id) ?? []
  return `${operation} ${version}${variant === undefined ? '' : ` (${variant})`}`
}

/** Lists changes of one kind, grouped by requirement. */
const changeLines = (changes: readonly Change[], width: number): string[] => {
  const groups = new Map<string, string[]>()
  for (const { id, before = 'absent', after = 'absent' } of changes) {
    const key = `${before} -> ${after}  ${id.split('@')[0]}`
    groups.set(key, [...(groups.get(key) ?? []), checkName(id)])
  }
  return [...groups].flatMap(([key, places]) => {
    const more = places.length - maxPlaces
    const listed = [...places.slice(0, maxPlaces), ...(more > 0 ? [`${formatNumber(more)} more`] : [])]
    return [`  ${escapeControls(key)}`, ...wrap(listed.join(', '), width - 6).map((line) => `      ${line}`)]
  })
}

/** Returns the comparison as text. */
export const comparisonText = ({ broke, fixed, other }: Comparison, width = 80): string =>
  [
    `${formatNumber(broke.length)} broke`,
    ...changeLines(broke, width),
    `${formatNumber(fixed.length)} fixed`,
    ...changeLines(fixed, width),
    `${formatNumber(other.length)} changed in other ways`,
    '',
  ].join('\n')

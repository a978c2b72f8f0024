import { type Verdict, verdicts } from '../model/verdict.ts'
import type { Report } from './report.ts'
import { escapeControls, formatNumber, wrap } from './text.ts'

/** A check with a different verdict in two runs. */
export interface Change {
  readonly id: string
  readonly before: Verdict | undefined
  readonly after: Verdict | undefined
}

export interface Comparison {
  readonly broke: readonly Change[]
  readonly fixed: readonly Change[]
  /** Checks that are new, were removed, or became untestable. They are neither regressions nor fixes. */
  readonly other: readonly Change[]
}

/** Verdicts that don't show whether the requirement is met. */
const untested: readonly (Verdict | undefined)[] = [undefined, 'UNTESTABLE', 'NOT APPLICABLE', 'KIT ERROR']

const passed = verdicts.indexOf('PASS')

const rank = (verdict: Verdict | undefined): number =>
  verdict === undefined ? -1 : verdicts.indexOf(verdict)

/** Whether the verdict got worse. */
const isWorse = ({ before, after }: Change): boolean =>
  rank(after) > passed && (untested.includes(before) || rank(after) > rank(before))

/** Returns whether the verdict got better. A check that didn't run doesn't count. */
const isBetter = ({ before, after }: Change): boolean =>
  rank(before) > passed && !untested.includes(after) && rank(after) < rank(before)

/** Returns the regressions and fixes between two runs. */
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

/** Additional checks are counted, but not listed. */
const maxPlaces = 6

/** Turns `requirement@operation@version#variant` into `operation version (variant)`. */
const checkName = (id: string): string => {
  const [, operation = '', version = '', variant] = /^[^@]*@([^@]*)@([^#]*)(?:#(.*))?$/s.exec(id) ?? []
  return `${operation} ${version}${variant === undefined ? '' : ` (${variant})`}`
}

/** Changes of one kind, by requirement. */
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

/** The comparison as text. */
export const comparisonText = ({ broke, fixed, other }: Comparison, width = 80): string =>
  [
    `${formatNumber(broke.length)} broke`,
    ...changeLines(broke, width),
    `${formatNumber(fixed.length)} fixed`,
    ...changeLines(fixed, width),
    `${formatNumber(other.length)} changed in other ways`,
    '',
  ].join('\n')

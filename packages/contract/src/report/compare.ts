import { type Verdict, verdicts } from '../engine/verdict.ts'
import type { Report } from './report.ts'

/** A place whose verdict differs between two runs. */
export interface Change {
  readonly id: string
  readonly before: Verdict | undefined
  readonly after: Verdict | undefined
}

export interface Comparison {
  readonly broke: readonly Change[]
  readonly mended: readonly Change[]
  /** Neither better nor worse: it came, went, or became untestable. */
  readonly other: readonly Change[]
}

const bad = (verdict: Verdict | undefined): number =>
  verdict === undefined || verdict === 'UNTESTABLE' || verdict === 'NOT APPLICABLE'
    ? 0
    : verdicts.indexOf(verdict)

const passed: number = verdicts.indexOf('PASS')

/** What broke and what was mended from one run to another. */
export const compareReports = (before: Report, after: Report): Comparison => {
  const old = new Map(before.results.map(({ id, verdict }) => [id, verdict]))
  const now = new Map(after.results.map(({ id, verdict }) => [id, verdict]))
  const changes = [...new Set([...old.keys(), ...now.keys()])]
    .sort()
    .map((id) => ({ id, before: old.get(id), after: now.get(id) }))
    .filter((change) => change.before !== change.after)
  const worse = (change: Change): boolean =>
    bad(change.after) > passed && bad(change.after) > bad(change.before)
  const better = (change: Change): boolean =>
    bad(change.before) > passed && bad(change.after) < bad(change.before)
  return {
    broke: changes.filter(worse),
    mended: changes.filter((change) => !worse(change) && better(change)),
    other: changes.filter((change) => !worse(change) && !better(change)),
  }
}

const tell = ({
  id,
  before = 'absent',
  after = 'absent',
}: {
  id: string
  before?: string
  after?: string
}): string => `  ${before} -> ${after}  ${id}`

/** A comparison for people. */
export const comparisonText = ({ broke, mended, other }: Comparison): string =>
  [
    `${broke.length} broke`,
    ...broke.map((change) =>
      tell({
        id: change.id,
        ...(change.before && { before: change.before }),
        ...(change.after && { after: change.after }),
      }),
    ),
    `${mended.length} mended`,
    ...mended.map((change) =>
      tell({
        id: change.id,
        ...(change.before && { before: change.before }),
        ...(change.after && { after: change.after }),
      }),
    ),
    `${other.length} changed otherwise`,
    '',
  ].join('\n')

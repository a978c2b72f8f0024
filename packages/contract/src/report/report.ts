import type { Strength } from '../document/strength.ts'
import type { Leftover } from '../model/leftover.ts'
import { requirementOf } from '../model/requirement.ts'
import type { Coverage, Result } from '../model/result.ts'
import type { Selection } from '../model/selection.ts'
import type { TestedOperation } from '../model/tested-operation.ts'
import type { Verdict } from '../model/verdict.ts'
import { type Finding, findCauses } from './findings.ts'
import { absentNames } from './implementation.ts'

/** What a report shows of a requirement. */
export interface RequirementInfo {
  readonly area: string
  readonly strength: Strength
  readonly text: string
  readonly source: readonly string[]
}

/** A result, with the reason of the waiver that excuses it. */
export interface Reported extends Result {
  readonly waived?: string
}

/** A requirement that the run couldn't test in any cell. */
export interface Untested {
  readonly requirement: string
  /** The distinct missing prerequisites. */
  readonly missing: readonly string[]
}

/** Format of the report. The number changes with every incompatible change. */
export const reportFormat = 'svc-admin-contract-report/3'

/** The report of a run, described by `schema/report.json`. */
export interface Report {
  readonly format: typeof reportFormat
  readonly kit: string
  readonly target: string
  readonly runTag: string
  readonly seed: number
  readonly strict: boolean
  /** Whether untestable checks make the run fail. */
  readonly requireAll?: boolean
  /** Whether operations that the target doesn't implement make the run fail. */
  readonly expectAll?: boolean
  /** The selected part of the API; absent for all of it. */
  readonly selection?: Selection
  /** Whether the run used a copy of the demo organization. Without --keep, the `curl` commands use the original. */
  readonly inDemoCopy?: boolean
  /** Whether the run left its resources in place. */
  readonly retainedResources?: boolean
  /** How far an interrupted run got. The report doesn't cover the other checks. */
  readonly interrupted?: string
  readonly startedAt: string
  readonly seconds: number
  readonly summary: Readonly<Record<Verdict, number>>
  /** The pairs of operation and status that were seen. */
  readonly coverage: readonly Coverage[]
  readonly requirements: Readonly<Record<string, RequirementInfo>>
  /** The selected operations, and which of them the target lacks. */
  readonly operations: readonly TestedOperation[]
  /** The results of the findings, in the order of the findings, then all others, sorted by id. */
  readonly results: readonly Reported[]
  /** One finding per cause, the most severe first. */
  readonly findings: readonly Finding[]
  /** Requirements that apply but couldn't be tested in any cell. */
  readonly untested: readonly Untested[]
  /** Expired and stale waivers. */
  readonly waiverProblems: readonly string[]
  /** Resources and settings that couldn't be removed or restored. */
  readonly leftovers: readonly Leftover[]
}

export interface ReportInput
  extends Omit<Report, 'format' | 'summary' | 'requirements' | 'findings' | 'untested'> {}

/** Number of results by verdict. */
export const summarize = (results: readonly Pick<Result, 'verdict'>[]): Record<Verdict, number> => {
  const counts: Record<Verdict, number> = {
    PASS: 0,
    LENIENT: 0,
    WARN: 0,
    FAIL: 0,
    UNTESTABLE: 0,
    'NOT APPLICABLE': 0,
    'KIT ERROR': 0,
  }
  for (const { verdict } of results) counts[verdict] += 1
  return counts
}

const infoOf = (id: string): RequirementInfo => {
  const { area, strength, text, source } = requirementOf(id)
  return { area, strength, text, source }
}

/** Requirements with untestable checks and no others: they may be violated even if everything else is green. */
export const untestedIn = (
  results: readonly Pick<Result, 'requirement' | 'verdict' | 'reason'>[],
): Untested[] => {
  const tested = new Set<string>()
  const missing = new Map<string, Set<string>>()
  for (const { requirement, verdict, reason = '' } of results) {
    if (verdict === 'UNTESTABLE')
      missing.set(requirement, (missing.get(requirement) ?? new Set<string>()).add(reason))
    else if (verdict !== 'NOT APPLICABLE') tested.add(requirement)
  }
  return [...missing]
    .filter(([requirement]) => !tested.has(requirement))
    .map(([requirement, reasons]) => ({ requirement, missing: [...reasons] }))
    .sort((one, other) => (one.requirement < other.requirement ? -1 : 1))
}

/** Creates a report. */
export const makeReport = (input: ReportInput): Report => {
  const requirements = Object.fromEntries(
    [...new Set(input.results.map(({ requirement }) => requirement))].map((id) => [id, infoOf(id)]),
  )
  const findings = findCauses(input.results, requirements)
  const found = new Set(findings.flatMap(({ results }) => results))
  return {
    format: reportFormat,
    ...input,
    results: [...found, ...input.results.filter((result) => !found.has(result))],
    findings,
    summary: summarize(input.results),
    untested: untestedIn(input.results),
    requirements,
  }
}

/** A note about repeating requests. */
export const curlNote = ({ inDemoCopy, retainedResources: kept, results }: Report): string | undefined =>
  inDemoCopy && !kept && results.some(({ curl }) => curl !== undefined)
    ? "The curl commands use the demo organization. They can't show resources that the run created, because it has removed them. To leave those in place, use --keep --journal <file>."
    : undefined

/** Number of results with a verdict that no waiver excuses. */
export const unexcused = ({ results }: Report, wanted: Verdict): number =>
  results.filter(({ verdict, waived }) => verdict === wanted && waived === undefined).length

/** Whether a result makes the run fail. */
export const failsRun = ({ requireAll }: Report, { verdict, waived }: Reported): boolean =>
  waived === undefined &&
  (verdict === 'FAIL' || verdict === 'KIT ERROR' || (verdict === 'UNTESTABLE' && requireAll === true))

/** A reason other than a result for a failed run. */
export interface OtherFailure {
  readonly what: 'run' | 'waivers' | 'operations'
  readonly message: string
}

/** Reasons other than results for a failed run. Formats that only have results show them as results. */
export const otherFailures = (report: Report): OtherFailure[] => [
  ...(report.interrupted === undefined ? [] : [{ what: 'run' as const, message: report.interrupted }]),
  ...(failsForAbsent(report)
    ? [{ what: 'operations' as const, message: `not implemented: ${absentNames(report).join(', ')}` }]
    : []),
  ...report.waiverProblems.map((message) => ({ what: 'waivers' as const, message })),
]

/** Whether the run fails because the target lacks operations. */
export const failsForAbsent = (report: Report): boolean =>
  report.expectAll === true && absentNames(report).length > 0

/** Whether the run fails because of untestable checks. */
export const failsForUntestable = (report: Report): boolean =>
  report.results.some((result) => result.verdict === 'UNTESTABLE' && failsRun(report, result))

/** The verdict on the whole run, as an exit code. */
export const exitCodeOf = (report: Report): 0 | 1 | 2 => {
  if (unexcused(report, 'KIT ERROR') > 0) return 2
  const fails =
    report.waiverProblems.length > 0 ||
    failsForAbsent(report) ||
    report.results.some((result) => failsRun(report, result))
  return fails ? 1 : 0
}

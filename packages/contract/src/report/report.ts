import { requirementOf } from '../model/requirement.ts'
import type { Result } from '../model/result.ts'
import type { Verdict } from '../model/verdict.ts'
import { findCauses } from './findings.ts'
import { absentNames } from './implementation.ts'
import { type Report, type Reported, type RequirementInfo, reportFormat, type Untested } from './model.ts'

export { type Report, type Reported, type RequirementInfo, reportFormat, type Untested } from './model.ts'

export interface ReportInput
  extends Omit<Report, 'format' | 'summary' | 'requirements' | 'findings' | 'untested'> {}

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

/**
 * Returns the requirements without a testable check. The target may violate untested requirements even if all
 * results are green.
 */
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

/** Explains which `curl` commands work after the run. */
export const curlNote = ({ inDemoCopy, retainedResources: kept, results }: Report): string | undefined =>
  inDemoCopy && !kept && results.some(({ curl }) => curl !== undefined)
    ? "The curl commands use the demo organization. They don't work for resources that the run created, because the run has deleted these. To keep them, use --keep --journal <file>."
    : undefined

/** Counts the results with the given verdict, excluding results that a waiver excuses. */
export const unexcused = ({ results }: Report, wanted: Verdict): number =>
  results.filter(({ verdict, waived }) => verdict === wanted && waived === undefined).length

/** Returns whether a result makes the run fail. */
export const failsRun = ({ requireAll }: Report, { verdict, waived }: Reported): boolean =>
  waived === undefined &&
  (verdict === 'FAIL' || verdict === 'KIT ERROR' || (verdict === 'UNTESTABLE' && requireAll === true))

/** A reason for a failed run that isn't based on a single result. */
export interface OtherFailure {
  readonly what: 'run' | 'waivers' | 'operations'
  readonly message: string
}

/**
 * Returns the reasons for a failed run that aren't based on single results. Formats that can contain only results show
 * these reasons as results.
 */
export const otherFailures = (report: Report): OtherFailure[] => [
  ...(report.interrupted === undefined ? [] : [{ what: 'run' as const, message: report.interrupted }]),
  ...(failsForAbsent(report)
    ? [{ what: 'operations' as const, message: `not implemented: ${absentNames(report).join(', ')}` }]
    : []),
  ...report.waiverProblems.map((message) => ({ what: 'waivers' as const, message })),
]

/** Returns whether missing operations make the run fail. */
export const failsForAbsent = (report: Report): boolean =>
  report.expectAll === true && absentNames(report).length > 0

/** Returns whether untestable checks make the run fail. */
export const failsForUntestable = (report: Report): boolean =>
  report.results.some((result) => result.verdict === 'UNTESTABLE' && failsRun(report, result))

/** Returns the exit code of the run. */
export const exitCodeOf = (report: Report): 0 | 1 | 2 => {
  if (unexcused(report, 'KIT ERROR') > 0) return 2
  const fails =
    report.waiverProblems.length > 0 ||
    failsForAbsent(report) ||
    report.results.some((result) => failsRun(report, result))
  return fails ? 1 : 0
}

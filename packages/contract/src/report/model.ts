import type { Strength } from '../document/strength.ts'
import type { Leftover } from '../model/leftover.ts'
import type { Coverage, Result } from '../model/result.ts'
import type { Selection } from '../model/selection.ts'
import type { StaleId } from '../model/stale-id.ts'
import type { TestedOperation } from '../model/tested-operation.ts'
import type { Verdict } from '../model/verdict.ts'

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

/** One cause: the result that shows it best, and all results that it explains. */
export interface Finding {
  /** The requirement and verdict of the first result. */
  readonly requirement: string
  readonly verdict: Verdict
  readonly info: RequirementInfo
  /** The most telling one first. */
  readonly results: readonly [Reported, ...Reported[]]
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
  /** Names in the target file that are out of date. Checks that need them are untestable. */
  readonly staleIds?: readonly StaleId[]
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

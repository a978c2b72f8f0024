import type { Strength } from '../document/strength.ts'
import type { Leftover } from '../model/leftover.ts'
import type { Coverage, Result } from '../model/result.ts'
import type { Selection } from '../model/selection.ts'
import type { StaleId } from '../model/stale-id.ts'
import type { TestedOperation } from '../model/tested-operation.ts'
import type { Verdict } from '../model/verdict.ts'

/** What a report shows about a requirement. */
export interface RequirementInfo {
  readonly area: string
  readonly strength: Strength
  readonly text: string
  readonly source: readonly string[]
}

/** A result. If a waiver excuses the requirement, this is the waiver's reason. */
export interface Reported extends Result {
  readonly waived?: string
}

/** A requirement that couldn't be tested in any cell. */
export interface Untested {
  readonly requirement: string
  /** The missing prerequisites without duplicates. */
  readonly missing: readonly string[]
}

/** A cause of failures, with the result that shows it best and all other results that have the same cause. */
export interface Finding {
  /** The first result's requirement and verdict. */
  readonly requirement: string
  readonly verdict: Verdict
  readonly info: RequirementInfo
  /** The results, starting with the one that shows the cause best. */
  readonly results: readonly [Reported, ...Reported[]]
}

/** The report's format version, which increases with every incompatible change. */
export const reportFormat = 'svc-admin-contract-report/3'

/** A run's report, as described by `schema/report.json`. */
export interface Report {
  readonly format: typeof reportFormat
  readonly kit: string
  readonly target: string
  readonly runTag: string
  readonly seed: number
  readonly strict: boolean
  /** Whether the run fails if a check is untestable. */
  readonly requireAll?: boolean
  /** Whether the run fails if an operation is not implemented. */
  readonly expectAll?: boolean
  /** The selected part of the API. Omitted if everything is selected. */
  readonly selection?: Selection
  /**
   * Whether the run used a copy of the demo organization. Unless --keep was set, the `curl` commands use the original
   * organization.
   */
  readonly inDemoCopy?: boolean
  /** Whether the run left its resources behind. */
  readonly retainedResources?: boolean
  /** The progress of an interrupted run. The report doesn't cover the checks that didn't run. */
  readonly interrupted?: string
  readonly startedAt: string
  readonly seconds: number
  readonly summary: Readonly<Record<Verdict, number>>
  /** The pairs of operation and status that occurred. */
  readonly coverage: readonly Coverage[]
  readonly requirements: Readonly<Record<string, RequirementInfo>>
  /** The selected operations, and whether the target implements them. */
  readonly operations: readonly TestedOperation[]
  /** Names in the target file that no longer exist. Checks that need them are untestable. */
  readonly staleIds?: readonly StaleId[]
  /** All results: first those in findings, in the order of the findings, then all others, sorted by ID. */
  readonly results: readonly Reported[]
  /** One finding for each cause, most severe first. */
  readonly findings: readonly Finding[]
  /** Requirements that apply, but couldn't be tested in any cell. */
  readonly untested: readonly Untested[]
  /** Expired and stale waivers. */
  readonly waiverProblems: readonly string[]
  /** Resources and settings that couldn't be removed or restored. */
  readonly leftovers: readonly Leftover[]
}

import type { Strength } from '../document/strength.ts'
import type { Leftover } from '../model/leftover.ts'
import type { Coverage, Result } from '../model/result.ts'
import type { Selection } from '../model/selection.ts'
import type { StaleId } from '../model/stale-id.ts'
import type { TestedOperation } from '../model/tested-operation.ts'
import type { Verdict } from '../model/verdict.ts'

/** The facts about a requirement that a report shows. */
export interface RequirementInfo {
  readonly area: string
  readonly strength: Strength
  readonly text: string
  readonly source: readonly string[]
}

/** A result in a report. If a waiver excuses the violation, `waived` contains the waiver's reason. */
export interface Reported extends Result {
  readonly waived?: string
}

/** A requirement that couldn't be tested for any operation. */
export interface Untested {
  readonly requirement: string
  /** The prerequisites that are missing. */
  readonly missing: readonly string[]
}

/** One cause of failures, with all results that it explains. */
export interface Finding {
  /** The requirement and the verdict of the first result. */
  readonly requirement: string
  readonly verdict: Verdict
  readonly info: RequirementInfo
  /** All results with this cause. The first result shows the cause most clearly. */
  readonly results: readonly [Reported, ...Reported[]]
}

/** The version of the report format. The version increases with every incompatible change. */
export const reportFormat = 'svc-admin-contract-report/3'

/** The report of a run, as described by `schema/report.json`. */
export interface Report {
  readonly format: typeof reportFormat
  readonly kit: string
  readonly target: string
  readonly runTag: string
  readonly seed: number
  readonly strict: boolean
  /** Whether untestable checks make the run fail. */
  readonly requireAll?: boolean
  /** Whether missing operations make the run fail. */
  readonly expectAll?: boolean
  /** The part of the API that the user selected. The selection is omitted if the run covers everything. */
  readonly selection?: Selection
  /**
   * Whether the run used a copy of the demo organization. Without `--keep`, the `curl` commands use the original demo
   * organization.
   */
  readonly inDemoCopy?: boolean
  /** Whether the run kept its resources. */
  readonly retainedResources?: boolean
  /** The progress of an interrupted run. The report doesn't contain the checks that didn't run. */
  readonly interrupted?: string
  readonly startedAt: string
  readonly seconds: number
  readonly summary: Readonly<Record<Verdict, number>>
  /** The statuses that occurred for each operation. */
  readonly coverage: readonly Coverage[]
  readonly requirements: Readonly<Record<string, RequirementInfo>>
  /** The selected operations, with the versions that the target implements. */
  readonly operations: readonly TestedOperation[]
  /**
   * Names in the target file that don't match an existing resource. Checks that need a missing resource are untestable.
   */
  readonly staleIds?: readonly StaleId[]
  /** All results. Results of findings come first, in the order of the findings. All other results are sorted by ID. */
  readonly results: readonly Reported[]
  /** One finding for each cause, starting with the most severe. */
  readonly findings: readonly Finding[]
  /** The requirements that couldn't be tested for any operation to which they apply. */
  readonly untested: readonly Untested[]
  /** Problems with waivers that have expired or are no longer needed. */
  readonly waiverProblems: readonly string[]
  /** Resources and settings that the run couldn't remove or restore. */
  readonly leftovers: readonly Leftover[]
}

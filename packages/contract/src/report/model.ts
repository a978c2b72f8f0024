import type { Strength } from '../document/strength.ts'
import type { Leftover } from '../model/leftover.ts'
import type { Coverage, Result } from '../model/result.ts'
import type { Selection } from '../model/selection.ts'
import type { StaleId } from '../model/stale-id.ts'
import type { TestedOperation } from '../model/tested-operation.ts'
import type { Verdict } from '../model/verdict.ts'

/** The information about a requirement that a report shows. */
export interface RequirementInfo {
  readonly area: string
  readonly strength: Strength
  readonly text: string
  readonly source: readonly string[]
}

/** A result. If a waiver excuses it, it includes the waiver's reason. */
export interface Reported extends Result {
  readonly waived?: string
}

/** A requirement that the run couldn't test in any cell. */
export interface Untested {
  readonly requirement: string
  /** The missing prerequisites, without duplicates. */
  readonly missing: readonly string[]
}

/** A cause: the result that shows it best, and all results that it explains. */
export interface Finding {
  /** The first result's requirement and verdict. */
  readonly requirement: string
  readonly verdict: Verdict
  readonly info: RequirementInfo
  /** The results, starting with the one that shows the cause best. */
  readonly results: readonly [Reported, ...Reported[]]
}

/** The report's format. The number increases with every incompatible change. */
export const reportFormat = 'svc-admin-contract-report/3'

/** A run's report, as described by `schema/report.json`. */
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
  /** The selected part of the API. Omitted if everything is selected. */
  readonly selection?: Selection
  /**
   * Whether the run used a copy of the demo organization. Unless --keep was set, the `curl` commands use the
   * original.
   */
  readonly inDemoCopy?: boolean
  /** Whether the run left its resources in place. */
  readonly retainedResources?: boolean
  /** How far an interrupted run got. The report doesn't cover the remaining checks. */
  readonly interrupted?: string
  readonly startedAt: string
  readonly seconds: number
  readonly summary: Readonly<Record<Verdict, number>>
  /** The pairs of operation and status that were seen. */
  readonly coverage: readonly Coverage[]
  readonly requirements: Readonly<Record<string, RequirementInfo>>
  /** The selected operations, and whether the target implements them. */
  readonly operations: readonly TestedOperation[]
  /** Outdated names in the target file. Checks that need them are untestable. */
  readonly staleIds?: readonly StaleId[]
  /** The results that belong to findings, in the order of the findings, followed by all others, sorted by ID. */
  readonly results: readonly Reported[]
  /** One finding for each cause, starting with the most severe. */
  readonly findings: readonly Finding[]
  /** Requirements that apply but couldn't be tested in any cell. */
  readonly untested: readonly Untested[]
  /** Expired and stale waivers. */
  readonly waiverProblems: readonly string[]
  /** Resources and settings that couldn't be removed or restored. */
  readonly leftovers: readonly Leftover[]
}

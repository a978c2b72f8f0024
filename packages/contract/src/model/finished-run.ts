import type { Leftover } from './leftover.ts'
import type { Coverage, Result } from './result.ts'
import type { StaleId } from './stale-id.ts'
import type { TestedOperation } from './tested-operation.ts'

/** The results of a run. If the run stopped early, some checks have no result. */
export interface RunResults {
  readonly results: readonly Result[]
  readonly coverage: readonly Coverage[]
  /** The reason why the run stopped early. The reason isn't set if the user interrupted the run. */
  readonly ended?: Error
  /** The requests that got no response before the run stopped. Each string names the check that sent the request. */
  readonly unanswered?: readonly string[]
}

/** A finished run, with the resources and settings that it couldn't remove or restore. */
export interface FinishedRun extends RunResults {
  readonly leftovers: readonly Leftover[]
  /** The selected operations, and whether the target implements them. */
  readonly operations: readonly TestedOperation[]
  /** Names in the target file that don't match an existing resource. */
  readonly staleIds?: readonly StaleId[]
}

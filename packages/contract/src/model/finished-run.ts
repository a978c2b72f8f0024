import type { Leftover } from './leftover.ts'
import type { Coverage, Result } from './result.ts'
import type { StaleId } from './stale-id.ts'
import type { TestedOperation } from './tested-operation.ts'

/** The results of the checks that a run finished. */
export interface RunResults {
  readonly results: readonly Result[]
  readonly coverage: readonly Coverage[]
  /** Why the run stopped early, unless it was interrupted. */
  readonly ended?: Error
  /** Requests that got no response before the run stopped, each with its check. */
  readonly unanswered?: readonly string[]
}

/** A finished run, with the resources and settings that it couldn't clean up. */
export interface FinishedRun extends RunResults {
  readonly leftovers: readonly Leftover[]
  /** The selected operations, and which of them the target lacks. */
  readonly operations: readonly TestedOperation[]
  /** Names in the target file that are out of date. */
  readonly staleIds?: readonly StaleId[]
}

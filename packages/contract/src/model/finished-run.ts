import type { Leftover } from './leftover.ts'
import type { Coverage, Result } from './result.ts'
import type { StaleId } from './stale-id.ts'
import type { TestedOperation } from './tested-operation.ts'

/** The results of the checks that finished during a run. */
export interface RunResults {
  readonly results: readonly Result[]
  readonly coverage: readonly Coverage[]
  /** The reason why the run stopped early, unless the user interrupted it. */
  readonly ended?: Error
  /** The requests that got no response before the run stopped, each with the check that sent it. */
  readonly unanswered?: readonly string[]
}

/** A finished run, with the resources and settings that it couldn't clean up. */
export interface FinishedRun extends RunResults {
  readonly leftovers: readonly Leftover[]
  /** The selected operations, and whether the target implements them. */
  readonly operations: readonly TestedOperation[]
  /** Names in the target file that no longer exist. */
  readonly staleIds?: readonly StaleId[]
}

import type { Leftover } from '../run-context/journal.ts'
import type { Coverage } from './judging.ts'
import type { Result } from './result.ts'

/** What came of the checks of a run that were made. */
export interface RunResults {
  readonly results: readonly Result[]
  readonly coverage: readonly Coverage[]
  /** Why it did not come to the rest, where nobody broke it off. */
  readonly ended?: Error
  /** Requests that had no answer before it ended so, each with the check that sent it. */
  readonly unanswered?: readonly string[]
}

/** A run that is over, with what it could not remove. */
export interface FinishedRun extends RunResults {
  readonly leftovers: readonly Leftover[]
}

import type { ProgressOutput } from '../report/progress.ts'
import { wrap } from '../report/text.ts'

/** A command's output and input. */
export interface Console {
  write(text: string): void
  warn(text: string): void
  readonly progress: ProgressOutput
  readonly columns: number
  /**
   * Returns a signal that is aborted when the user first interrupts the command, so that the command can still clean
   * up.
   */
  interruption?(): AbortSignal
  readonly color: boolean
  /** Asks the user a question. An empty reply selects the suggested value. */
  ask(question: string, suggestion?: string): Promise<string>
}

/** Formats an error message. Lines break only at spaces, so that users can copy addresses and paths. */
export const complaint = (message: string, { columns }: Console): string =>
  `contract: ${wrap(message, columns - 10, { whole: true }).join('\n          ')}\n`

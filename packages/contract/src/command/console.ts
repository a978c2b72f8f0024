import type { ProgressOutput } from '../report/progress.ts'
import { wrap } from '../report/text.ts'

/** What a command may say, and where. */
export interface Console {
  write(text: string): void
  warn(text: string): void
  readonly progress: ProgressOutput
  readonly columns: number
  /** Is aborted when somebody wants the command to end: the first time it may do so in good order. */
  interruption?(): AbortSignal
  readonly colour: boolean
  /** Asks a person; an empty answer is the suggestion. */
  ask(question: string, suggestion?: string): Promise<string>
}

/** What went wrong, in lines that end at words: an address or a path that is broken cannot be pasted. */
export const complaint = (message: string, { columns }: Console): string =>
  `contract: ${wrap(message, columns - 10, { whole: true }).join('\n          ')}\n`

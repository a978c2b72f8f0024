import type { ProgressOutput } from '../report/progress.ts'

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

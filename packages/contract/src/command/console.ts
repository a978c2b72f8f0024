import type { ProgressOutput } from '../report/progress.ts'

/** What a command may say, and where. */
export interface Console {
  write(text: string): void
  warn(text: string): void
  readonly progress: ProgressOutput
  readonly columns: number
  readonly colour: boolean
  /** Asks a person; an empty answer is the suggestion. */
  ask(question: string, suggestion?: string): Promise<string>
}

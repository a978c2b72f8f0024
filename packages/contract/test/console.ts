import { expect } from 'vitest'
import type { Console } from '../src/command/console.ts'

/** A console for tests. The console is 80 columns wide, has no colors, and collects its output. */
export const listen = (
  more: Partial<Console> = {},
): { readonly console: Console; readonly output: () => string; readonly unwrapped: () => string } => {
  const parts: string[] = []
  const note = (text: string): void => {
    parts.push(text)
  }
  const output = () => parts.join('')
  return {
    console: {
      write: note,
      warn: note,
      progress: { write: note },
      columns: 80,
      color: false,
      ask: () => expect.fail('unexpected question'),
      ...more,
    },
    output,
    // Returns the output without line breaks.
    unwrapped: () => output().replaceAll(/\s+/g, ' '),
  }
}

import { expect } from 'vitest'
import type { Console } from '../src/command/console.ts'

/** A console for tests, 80 columns wide and without colors, that collects the output. */
export const listen = (
  more: Partial<Console> = {},
): { readonly console: Console; readonly said: () => string; readonly words: () => string } => {
  const parts: string[] = []
  const note = (text: string): void => {
    parts.push(text)
  }
  const said = () => parts.join('')
  return {
    console: {
      ...{ write: note, warn: note, progress: { write: note }, columns: 80, colour: false },
      ask: () => expect.fail('unexpected question'),
      ...more,
    },
    said,
    // Ignores line breaks.
    words: () => said().replaceAll(/\s+/g, ' '),
  }
}

import { expect } from 'vitest'
import type { Console } from '../src/command/console.ts'

/** A console that nobody sits at: what a command says is kept, 80 columns wide and without colours. */
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
      ask: () => expect.fail('nobody is asked'),
      ...more,
    },
    said,
    // Wherever lines end.
    words: () => said().replaceAll(/\s+/g, ' '),
  }
}

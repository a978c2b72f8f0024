import { closeSync, openSync, writeFileSync } from 'node:fs'

/** The minimum number of characters in a write, except the last one. */
const enough = 1_000_000

/** Writes a report in batches. A report in a single string would be in memory several times. */
export const writePieces = (file: string, pieces: Iterable<string>): void => {
  const open = openSync(file, 'w')
  try {
    let text = ''
    for (const piece of pieces) {
      text += piece
      if (text.length < enough) continue
      writeFileSync(open, text)
      text = ''
    }
    writeFileSync(open, text)
  } finally {
    closeSync(open)
  }
}

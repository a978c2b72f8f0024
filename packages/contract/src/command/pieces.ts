import { closeSync, openSync, writeFileSync } from 'node:fs'

/** The number of characters per write. */
const enough = 1_000_000

/** Writes in batches, because a report in a single string would be in memory several times. */
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

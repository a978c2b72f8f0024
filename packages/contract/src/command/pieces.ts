import { closeSync, openSync, writeFileSync } from 'node:fs'

/** The minimum number of characters per write, except for the last write. */
const enough = 1_000_000

/** Writes a report in batches. Building the whole report as a single string would keep several copies in memory. */
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

import { closeSync, openSync, writeFileSync } from 'node:fs'

/** Characters that are written at once. */
const enough = 1_000_000

/** Pieces are written as they come, many at a time: a whole report as one text is in memory several times. */
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

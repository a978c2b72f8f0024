/** What moves a cursor, hides what follows, or turns its order round (UAX 9): a target may answer with all of it. */
const unseen = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu

/** What a server that builds takes for a command to itself: where a line begins so, or wherever it stands. */
const command = /^[^\S\n]*:(?=:)|#(?=#\w*\[)/gm

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * A text as a terminal, or the log of a server that builds, may be given it: all of it is seen, and does nothing. It is
 * escaped as in JSON, so that a body in it stays what it is.
 */
export const harmless = (text: string): string =>
  text.replace(unseen, escaped).replace(command, (found) => found.replace(/[:#]$/, escaped))

/**
 * Breaks a text into lines of a width, at spaces where there are some.
 *
 * @param options.whole leaves longer words as they are.
 */
export const wrap = (text: string, width: number, { whole = false } = {}): string[] => {
  const lines: string[] = []
  let line = ''
  // Any word may come to begin a line.
  for (const word of text.split(/\s+/).map(harmless)) {
    let rest = word
    if (line !== '' && line.length + 1 + rest.length > width) {
      lines.push(line)
      line = ''
    }
    while (!whole && rest.length > width) {
      lines.push(rest.slice(0, width))
      rest = rest.slice(width)
    }
    line = line === '' ? rest : `${line} ${rest}`
  }
  if (line !== '') lines.push(line)
  return lines
}

/** A text cut to a width. */
export const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`

/** A number with commas between thousands. */
export const formatNumber = (number: number): string => number.toLocaleString('en')

/** So many things: one thing, two things. */
export const formatCount = (number: number, noun: string): string =>
  `${formatNumber(number)} ${noun}${number === 1 ? '' : 's'}`

/** What stands between tags of XML and HTML. */
export const escapeMarkup = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    // These are no characters of XML (XML 1.0 §2.2), or better not (§2.2, Note); hostile input is full of them.
    .replaceAll(/[^\t\n\r\u{20}-\u{7e}\u{a0}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd')

/** Reports are made for 80 columns: more do not make them easier to read, and with fewer than 40 words are torn. */
const [fewest, normal, most] = [40, 80, 100]

/** So many columns a text for somebody's terminal may have; some terminals have no width, or say that it is 0. */
export const columnsOf = ({ columns }: { readonly columns?: number | undefined }): number =>
  Math.min(Math.max(columns || normal, fewest), most)

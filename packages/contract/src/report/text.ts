/**
 * Characters that move the cursor, hide text or change its direction (UAX 9). A target's text may contain any of
 * them.
 */
const unseen = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu

/**
 * Text that a CI server would execute as a workflow command. Some commands work only at the beginning of a line, while
 * others work anywhere.
 */
const command = /^[^\S\n]*:(?=:)|#(?=#\w*\[)/gm

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * Makes text safe for a terminal or a CI log by escaping control characters. Uses JSON escapes, so that a JSON body
 * stays valid.
 */
export const escapeControls = (text: string): string =>
  text.replace(unseen, escaped).replace(command, (found) => found.replace(/[:#]$/, escaped))

/**
 * Wraps a text at spaces.
 *
 * @param options.whole Whether to keep words that are longer than the width in one piece.
 */
export const wrap = (text: string, width: number, { whole = false } = {}): string[] => {
  const lines: string[] = []
  let line = ''
  // Each word is escaped separately, because any word can end up at the beginning of a line.
  for (const word of text.split(/\s+/).map(escapeControls)) {
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

/** Truncates a text to a width. */
export const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`

/** A number with commas as thousands separators. */
export const formatNumber = (number: number): string => number.toLocaleString('en')

/** A number with its noun, such as "1 check" or "2 checks". */
export const formatCount = (number: number, noun: string): string =>
  `${formatNumber(number)} ${noun}${number === 1 ? '' : 's'}`

/** Escapes text for XML and HTML. */
export const escapeMarkup = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    // Replaces characters that XML forbids (XML 1.0 §2.2) or discourages (§2.2, Note). Hostile input may contain many
    // of them.
    .replaceAll(/[^\t\n\r\u{20}-\u{7e}\u{a0}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd')

/**
 * The minimum, default and maximum width. Reports are designed for 80 columns. Wider reports aren't easier to read,
 * and below 40 columns words break.
 */
const [fewest, normal, most] = [40, 80, 100]

/** Returns the width for a terminal. Some terminals report no width, or a width of 0. */
export const columnsOf = ({ columns }: { readonly columns?: number | undefined }): number =>
  Math.min(Math.max(columns || normal, fewest), most)

/** A text from the ledger without the backticks around code, for formats without markup. */
export const withoutTicks = (text: string): string => text.replaceAll('`', '')

/** A text from the ledger as HTML, with code elements. */
export const codeMarkup = (text: string): string =>
  escapeMarkup(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

/**
 * Replaces IDs, numbers, times and quoted texts, because they vary even if the cause is the same. A word with a digit
 * is assumed to be one of them.
 */
export const withoutValues = (text: string): string =>
  text.replaceAll(/"(?:[^"\\]|\\.)*"?|[\w-]*\d[\w-]*/g, '#')

/** Groups values whose texts differ only in IDs and other values. The largest groups come first. */
export const alike = <T>(values: readonly T[], textOf: (value: T) => string): [T, ...T[]][] => {
  const groups = new Map<string, [T, ...T[]]>()
  for (const value of values) {
    const key = withoutValues(textOf(value))
    const group = groups.get(key)
    if (group) group.push(value)
    else groups.set(key, [value])
  }
  return [...groups.values()].sort((one, other) => other.length - one.length)
}

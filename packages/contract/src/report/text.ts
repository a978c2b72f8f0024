/**
 * Characters that move the cursor, hide text or change its direction (UAX #9). Text from a target may contain
 * such characters.
 */
const unseen = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu

/** Matches text that a CI server would run as a workflow command. Some commands work only at the start of a line. */
const command = /^[^\S\n]*:(?=:)|#(?=#\w*\[)/gm

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * Escapes control characters, so that the text is safe in a terminal or a CI log. With JSON escapes,
 * a JSON body remains valid.
 */
export const escapeControls = (text: string): string =>
  text.replace(unseen, escaped).replace(command, (found) => found.replace(/[:#]$/, escaped))

/**
 * Wraps text at spaces.
 *
 * @param options.whole Whether to leave words unbroken if they are longer than the width.
 */
export const wrap = (text: string, width: number, { whole = false } = {}): string[] => {
  const lines: string[] = []
  let line = ''
  // Escape each word separately, because any word may start a line.
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

/** Truncates text to the given width. */
export const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`

/** Formats a number with commas as thousands separators. */
export const formatNumber = (number: number): string => number.toLocaleString('en')

/** Formats a number with its noun, for example "1 check" or "2 checks". */
export const formatCount = (number: number, noun: string): string =>
  `${formatNumber(number)} ${noun}${number === 1 ? '' : 's'}`

export const escapeMarkup = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    /**
     * Replace characters that XML forbids (XML 1.0 §2.2) or discourages (§2.2, Note). Hostile text may contain many
     * such characters.
     */
    .replaceAll(/[^\t\n\r\u{20}-\u{7e}\u{a0}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd')

/**
 * The minimum, default and maximum width. Reports are designed for 80 columns. Wider lines aren't easier to read, and
 * long words don't fit into fewer than 40 columns.
 */
const [fewest, normal, most] = [40, 80, 100]

/** Returns the width of a terminal. Some terminals report no width, or a width of 0. */
export const columnsOf = ({ columns }: { readonly columns?: number | undefined }): number =>
  Math.min(Math.max(columns || normal, fewest), most)

/** Removes the backticks around code, for formats without markup. */
export const withoutTicks = (text: string): string => text.replaceAll('`', '')

/** Converts text with code in backticks to HTML. */
export const codeMarkup = (text: string): string =>
  escapeMarkup(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

/**
 * Replaces IDs, numbers, times and quoted strings with `#`, because they vary even if the cause is the same. Every word
 * with a digit is replaced.
 */
export const withoutValues = (text: string): string =>
  text.replaceAll(/"(?:[^"\\]|\\.)*"?|[\w-]*\d[\w-]*/g, '#')

/** Groups values whose texts differ only in IDs, numbers, times or quoted strings. The largest group comes first. */
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

/** JSON escapes these characters with a letter (RFC 8259 §7). */
const jsonLetters: Record<string, string> = { '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' }

/** These characters have named HTML entities. */
const htmlNames: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' }

/** Forms encode spaces differently, and the base64url alphabet has two different characters (RFC 4648 §5). */
const others: Record<string, string> = { ' ': '[ +]', '+': '[+\\-]', '/': '[/_]' }

/** JSON inside JSON is escaped repeatedly. Eight backslashes are enough for three levels. */
const backslashes = '\\\\{0,8}'

const hex = (number: number): string => number.toString(16)

/** Returns a pattern for hexadecimal digits in upper or lower case. */
const digits = (number: number, length: number): string =>
  [...hex(number).padStart(length, '0')]
    .map((digit) => (/\d/.test(digit) ? digit : `[${digit}${digit.toUpperCase()}]`))
    .join('')

const literal = (character: string): string => character.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** Returns a pattern for all encodings of a character: unchanged, or escaped for JSON, URLs, forms or HTML. */
const waysOf = (character: string): string => {
  // Letters and digits are rarely escaped, and patterns for their encodings would be slow.
  if (/[A-Za-z0-9]/.test(character)) return character
  const code = character.codePointAt(0) ?? 0
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
  const name = htmlNames[character]
  const letter = jsonLetters[character]
  return [
    character === '\\' ? '\\\\{1,8}' : `${backslashes}${others[character] ?? literal(character)}`,
    ...(letter === undefined ? [] : [`\\\\{1,8}${letter}`]),
    units.map((unit) => `\\\\{1,8}u${digits(unit, 4)}`).join(''),
    [...Buffer.from(character)].map((byte) => `%(?:25){0,2}${digits(byte, 2)}`).join(''),
    `&(?:amp;)?#0*${code};`,
    `&(?:amp;)?#[xX]0*${digits(code, 1)};`,
    ...(name === undefined ? [] : [`&(?:amp;)?${name};`]),
  ].join('|')
}

/**
 * Returns a pattern for all encodings of a string: unchanged, or escaped for JSON, URLs, forms or HTML.
 *
 * @example
 * anyEncoding('a"b').test('a%22b') // true, also for a\"b and a&quot;b
 */
export const anyEncoding = (text: string): RegExp =>
  new RegExp([...text].map((character) => `(?:${waysOf(character)})`).join(''), 'g')

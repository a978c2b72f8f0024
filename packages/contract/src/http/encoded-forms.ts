/** Characters that JSON escapes by a letter (RFC 8259 §7). */
const jsonLetters: Record<string, string> = { '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' }

/** Characters that HTML has a name for, and that are written by it. */
const htmlNames: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' }

/** Other signs for the same value: of a space in forms, and in the alphabet of Base64 for URLs (RFC 4648 §5). */
const others: Record<string, string> = { ' ': '[ +]', '+': '[+\\-]', '/': '[/_]' }

/** JSON within JSON escapes again: so many backslashes tell of three such layers. */
const backslashes = '\\\\{0,8}'

const hex = (number: number): string => number.toString(16)

/** A pattern of hexadecimal digits, in either case. */
const digits = (number: number, length: number): string =>
  [...hex(number).padStart(length, '0')]
    .map((digit) => (/\d/.test(digit) ? digit : `[${digit}${digit.toUpperCase()}]`))
    .join('')

const literal = (character: string): string => character.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** Ways to write a character: as it is, or as JSON, URLs, forms and HTML have it. */
const waysOf = (character: string): string => {
  // What no notation need escape is hardly ever escaped, and there is much of it.
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
 * A pattern of a text however it is written: plainly, or escaped for JSON, a URL, a form or HTML.
 *
 * @example
 * disguised('a"b').test('a%22b') // true, as for a\"b and a&quot;b
 */
export const anyEncoding = (text: string): RegExp =>
  new RegExp([...text].map((character) => `(?:${waysOf(character)})`).join(''), 'g')

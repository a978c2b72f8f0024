import { html, raw } from 'hono/html'

const keywords = new Set(
  'import from const await for of new func package return type struct with as in None True False true false null curl var if def'.split(
    ' ',
  ),
)

/** The only words that JSON contains outside strings. */
const literals = new Set(['true', 'false', 'null'])

const token =
  /(?<comment>(?:^|\s)(?:\/\/|# )[^\n]*)|(?<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')(?<colon>\s*:)?|(?<number>\b\d[\d.]*\b)|(?<word>\b[A-Za-z_]+\b)/g

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
/**
 * Escapes text for HTML. Quotes stay unescaped because only attributes require escaping, and code contains many quotes.
 */
const escaped = (text: string): string => text.replace(/[&<>]/g, (each) => escapes[each] ?? each)
/**
 * Wraps a word in an element that highlights it. A short element name saves space compared with a class, because a page
 * contains thousands of highlighted words.
 */
const span = (element: 'b' | 'i' | 'u' | 'var', text: string): string =>
  `<${element}>${escaped(text)}</${element}>`

const seen = new Map<string, ReturnType<typeof raw>>()

/** Highlights comments, strings, names, numbers and keywords in the languages that the site uses. */
export function highlight(text: string, language: string): ReturnType<typeof html> {
  if (language === 'text') return html`${text}`
  // Results are cached because most examples are the same in every version.
  const key = `${language === 'json' ? 'json' : ''}:${text}`
  const known = seen.get(key)
  if (known !== undefined) return known
  let out = ''
  let last = 0
  for (const match of text.matchAll(token)) {
    const { comment, string, colon, number, word } = match.groups ?? {}
    out += escaped(text.slice(last, match.index))
    last = match.index + match[0].length
    if (comment) out += span('var', comment)
    else if (string) out += colon ? span('b', string) + escaped(colon) : span('i', string)
    else if (number) out += span('u', number)
    else
      out +=
        word && (language === 'json' ? literals : keywords).has(word) ? span('u', word) : escaped(match[0])
  }
  const highlighted = raw(out + escaped(text.slice(last)))
  seen.set(key, highlighted)
  return highlighted
}

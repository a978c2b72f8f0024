import { html, raw } from 'hono/html'

const keywords = new Set(
  'import from const await for of new func main package return err type struct with as in None True False true false null curl var if def'.split(
    ' ',
  ),
)

const token =
  /(?<comment>(?:^|\s)(?:\/\/|# )[^\n]*)|(?<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')(?<colon>\s*:)?|(?<number>\b\d[\d.]*\b)|(?<word>\b[A-Za-z_]+\b)/g

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replace(/[&<>"]/g, (each) => escapes[each] ?? each)
const span = (kind: string, text: string): string => `<i class="${kind}">${escaped(text)}</i>`

const seen = new Map<string, ReturnType<typeof raw>>()

/** Highlights comments, strings, names, numbers and keywords of the languages on the site. */
export function highlight(text: string, language: string): ReturnType<typeof html> {
  if (language === 'text') return html`${text}`
  // Most examples are the same in every version.
  const key = `${language === 'json' ? 'json' : ''}:${text}`
  const known = seen.get(key)
  if (known !== undefined) return known
  let out = ''
  let last = 0
  for (const match of text.matchAll(token)) {
    const { comment, string, colon, number, word } = match.groups ?? {}
    out += escaped(text.slice(last, match.index))
    last = match.index + match[0].length
    if (comment) out += span('c', comment)
    else if (string) out += colon ? span('k', string) + escaped(colon) : span('s', string)
    else if (number) out += span('n', number)
    else out += word && keywords.has(word) && language !== 'json' ? span('w', word) : escaped(match[0])
  }
  const highlighted = raw(out + escaped(text.slice(last)))
  seen.set(key, highlighted)
  return highlighted
}

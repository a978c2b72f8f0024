import MarkdownIt from 'markdown-it'

/** `html: false` is the default, but is set explicitly because it keeps HTML in the documents out of the pages. */
const markdown = new MarkdownIt({ html: false })

markdown.renderer.rules.table_open = () => '<div class="scroll" tabindex="0"><table>'
markdown.renderer.rules.table_close = () => '</table></div>'

const seen = new Map<string, string>()

/** Wraps each date outside tags and code in `<time>`, to prevent line breaks inside the date. */
export function withDates(markup: string): string {
  if (!/\d{4}-\d\d-\d\d/.test(markup)) return markup
  return markup.replace(
    /<code\b.*?<\/code>|<[^>]*>|\b(\d{4}-\d\d-\d\d)\b(?![-\w+.])/gs,
    (whole, date?: string) => (date === undefined ? whole : `<time>${date}</time>`),
  )
}

/** Renders one line of Markdown as HTML, without a paragraph around it. */
export function inlineHtml(text: string): string {
  const known = seen.get(text)
  if (known !== undefined) return known
  const rendered = withDates(/[`*_[<&>"\\!\n]/.test(text) ? markdown.renderInline(text) : text)
  seen.set(text, rendered)
  return rendered
}

/** Renders Markdown paragraphs, lists and tables as HTML. */
export function blockHtml(text: string): string {
  const key = `block:${text}`
  const known = seen.get(key)
  if (known !== undefined) return known
  const rendered = withDates(markdown.render(text))
  seen.set(key, rendered)
  return rendered
}

export const plain = (text: string): string => text.replace(/[\\`*[\]<>&]/g, (character) => `\\${character}`)

/** Escapes text for Markdown, except for code in backticks. */
export const plainWithCode = (text: string): string =>
  text
    .split(/(`[^`]+`)/)
    .map((part, at) => (at % 2 === 1 ? part : plain(part)))
    .join('')

export const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``)

export const link = (label: string, address: string): string => `[${label}](${address})`

export const codeLink = (text: string, address: string): string => link(code(text), address)

/** Returns a slug for an address or an anchor. */
export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** Returns the words of Markdown text, without formatting. */
export const wordsOf = (text: string): string =>
  text
    .replace(/```[\s\S]*?```/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*#|>]/g, '')
    .replace(/\s+/g, ' ')
    .trim()

import MarkdownIt from 'markdown-it'

// `html: false` is the default. It is explicit because it prevents HTML injection from the documents.
const markdown = new MarkdownIt({ html: false })

markdown.renderer.rules.table_open = () => '<div class="scroll" tabindex="0"><table>'
markdown.renderer.rules.table_close = () => '</table></div>'

const seen = new Map<string, string>()

/** Wraps dates in `<time>`, outside tags and code, to prevent line breaks in them. */
export function withDates(markup: string): string {
  if (!/\d{4}-\d\d-\d\d/.test(markup)) return markup
  return markup.replace(
    /<code\b.*?<\/code>|<[^>]*>|\b(\d{4}-\d\d-\d\d)\b(?![-\w+.])/gs,
    (whole, date?: string) => (date === undefined ? whole : `<time>${date}</time>`),
  )
}

/** One line of Markdown as HTML, without a paragraph around it. */
export function inlineHtml(text: string): string {
  const known = seen.get(text)
  if (known !== undefined) return known
  const rendered = withDates(/[`*_[<&>"\\!\n]/.test(text) ? markdown.renderInline(text) : text)
  seen.set(text, rendered)
  return rendered
}

/** Paragraphs, lists and tables of Markdown as HTML. */
export function blockHtml(text: string): string {
  const key = `block:${text}`
  const known = seen.get(key)
  if (known !== undefined) return known
  const rendered = withDates(markdown.render(text))
  seen.set(key, rendered)
  return rendered
}

/** Escapes text for Markdown. */
export const plain = (text: string): string => text.replace(/[\\`*[\]<>&]/g, (character) => `\\${character}`)

/** Text as inline code. */
export const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``)

export const link = (label: string, address: string): string => `[${label}](${address})`

export const codeLink = (text: string, address: string): string => link(code(text), address)

/** A slug for an address or an anchor. */
export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** The words of a Markdown text, without markup. */
export const wordsOf = (text: string): string =>
  text
    .replace(/```[\s\S]*?```/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*#|>]/g, '')
    .replace(/\s+/g, ' ')
    .trim()

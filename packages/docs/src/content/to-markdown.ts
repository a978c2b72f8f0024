import { type Block, type FieldRow, type OperationItem, type Page, repeatedText } from './block.ts'
import { code, wordsOf } from './inline.ts'
import { sharedProvenance } from './shared-provenance.ts'
import { labels, sourceText } from './strength.ts'

export function pageMarkdown({ title, description, blocks, version }: Page): string {
  const opening = [
    ...(version ? [`Version ${version}.`] : []),
    ...(blocks.some((block) => beginsWith(block, description)) ? [] : [description]),
  ]
  const head = `# ${title}\n`
  const lead = opening.length > 0 ? `${opening.join(' ')}\n` : ''
  const text = [head, lead, ...blocks.map(blockMarkdown)].filter(Boolean).join('\n').trimEnd()
  // Removes the tooltips of decision links because the linked page contains the same information.
  return `${text.replace(/\[our decision\]\((\S+) "Why"\)/g, '[our decision]($1)')}\n`
}

/** Returns whether a block starts with the text of the page's description. */
const beginsWith = (block: Block, description: string): boolean =>
  block.kind === 'prose' && wordsOf(block.markdown).startsWith(wordsOf(description))

function blockMarkdown(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${anchorOf(block)}${block.text}\n`
    case 'prose':
    case 'widget':
      return block.markdown ? `${block.markdown.trimEnd()}\n` : ''
    case 'code':
      return `${block.label ? `${block.label}:\n\n` : ''}${fenced(block.language, block.text)}`
    case 'samples':
      return block.items
        .filter(({ isOnlyHtml }) => !isOnlyHtml)
        .map(({ caption, language, text }) => `${caption}:\n\n${fenced(language, text)}`)
        .join('\n')
    case 'table':
      return tableMarkdown(
        block.head,
        block.rows.map(({ id, cells: [first = '', ...rest] }) => [placeMarkdown(id) + first, ...rest]),
      )
    case 'list':
      return `${block.items.map((item) => `- ${item}`).join('\n')}\n`
    case 'operations':
      return `${block.items.map(operationMarkdown).join('\n')}\n`
    case 'cards':
      return `${block.items.map(({ title, href, text, note }) => `- [${title}](${href}): ${text}${note ? ` (${note})` : ''}`).join('\n')}\n`
    case 'facts':
      return `${block.items.map(([term, text]) => `- ${term}: ${text}`).join('\n')}\n`
    case 'fields':
      return fieldsMarkdown(block.rows)
    case 'repeated': {
      const [before, after] = repeatedText(block)
      return `${before} (${block.names.map((name) => `[${code(name)}](#${block.from}.${name})`).join(', ')})${after}\n`
    }
    case 'callout':
      return `> **${block.title}** ${block.markdown}\n`
    case 'badges':
      return block.items.length > 0 ? `${block.items.map(({ text }) => `*${text}*`).join(' · ')}\n` : ''
    case 'endpoint':
      return endpointMarkdown(block)
    case 'rail':
      return block.blocks.map(blockMarkdown).filter(Boolean).join('\n')
    case 'fold':
      return [`${placeMarkdown(block.id)}**${block.summary}**\n`, ...block.blocks.map(blockMarkdown)].join(
        '\n',
      )
    case 'figure':
      return ''
  }
}

/** Renders a link target that has the same ID in Markdown as in HTML. */
const placeMarkdown = (id: string | undefined): string => (id === undefined ? '' : `<a id="${id}"></a>`)

/** Removes the link targets that no page links to. `linked` returns whether any page links to an ID. */
export const withPlaces = (markdown: string, linked: (id: string) => boolean): string =>
  markdown.replace(/<a id="([^"]*)"><\/a>/g, (place, id: string) => (linked(id) ? place : ''))

/**
 * Returns the anchor that Markdown renderers generate for a heading. If a heading's ID differs from this anchor, the
 * Markdown needs an explicit link target.
 */
export const headingSlug = (text: string): string =>
  wordsOf(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')

const anchorOf = ({ id, text }: Extract<Block, { kind: 'heading' }>): string =>
  headingSlug(text) === id ? '' : placeMarkdown(id)

function endpointMarkdown(block: Extract<Block, { kind: 'endpoint' }>): string {
  const { method, prefix, path, mark } = block
  const call = code(`${method.toUpperCase()} ${prefix}${path}`)
  return `${[call, mark].filter(Boolean).join(' ')}\n`
}

function operationMarkdown({ method, path, title, href, badges }: OperationItem): string {
  const notes = badges.map(({ text }) => ` *${text}*`)
  return `- [${title}](${href}) ${code(`${method.toUpperCase()} ${path}`)}${notes.join('')}`
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language === 'text' ? '' : language}\n${text}\n\`\`\`\n`
}

function tableMarkdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
  return `${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n`
}

/** Renders fields. If fields have the same provenance, the page shows it once above them. */
function fieldsMarkdown(all: readonly FieldRow[]): string {
  const { lines, rows } = sharedProvenance(all)
  return `${lines.length > 0 ? `${lines.join(' ')}\n\n` : ''}${rows.map(fieldMarkdown).join('\n')}\n`
}

const standingMarkdown = ({ strength, source }: Pick<FieldRow, 'strength' | 'source'>): string =>
  strength
    ? ` [${labels[strength]}${source ? `, ${sourceText(source).replace(/^\[([^\]]*)\].*/, '$1')}` : ''}]`
    : ''

function fieldMarkdown(field: FieldRow): string {
  const { anchor, name, depth, type, required, notes, description, constraints, values, valuesOpen } = field
  const marks = [
    type,
    ...(required ? [field.requiredMark ? `required (${field.requiredMark})` : 'required'] : []),
    ...notes,
  ].join(', ')
  const listed =
    values.length > 0 ? ` ${valuesOpen ? 'Known values' : 'One of'}: ${values.map(code).join(', ')}.` : ''
  const remarks = [...constraints, ...(field.valuesAt ? [field.valuesAt] : [])]
  const bounds = remarks.length > 0 ? ` (${remarks.join('; ')})` : ''
  return `${'  '.repeat(depth)}- ${placeMarkdown(anchor)}${code(name)} ${marks}${bounds}: ${description.replaceAll('\n', ' ')}${listed}${standingMarkdown(field)}`
}

import type { SearchEntry } from '../browser/tokens.ts'
import type { Block, Page } from '../content/block.ts'
import { slugOf, wordsOf } from '../content/inline.ts'

/** An entry of the index before it is a row. */
export type Draft = Omit<SearchEntry, 'key' | 'body'> & { readonly key?: string; readonly body?: string }

type TableRow = Extract<Block, { kind: 'table' }>['rows'][number]

interface Section {
  readonly title: string
  /** What its anchor says that its title does not, such as an operation id. */
  readonly name: string
  readonly url: string
  readonly blocks: Block[]
}

/**
 * A page by its sections, and by the rows of its tables that have an address, so that a result leads to the place.
 *
 * @param known addresses that have an entry: a page of a fact, an operation or a schema is one, since its headings are
 *   those of all its kind.
 */
export function pageEntries(page: Page, known: ReadonlySet<string>): Draft[] {
  const { title, path, description, blocks } = page
  if (known.has(path) && page.crumbs.length > 0) return []
  const [first, ...rest] = sectionsOf(page)
  const headings = rest.map((section) => section.title)
  // What it is part of is asked for with it: the changelog and a date.
  const besides = [...page.crumbs.map(([label]) => label), ...headings].join(' ')
  const rows = blocks.flatMap((block) => (block.kind === 'table' ? block.rows : []))
  // Where a decision holds is said in the words of all those places, each of which is found by itself.
  const own = kindOf(page) === 'Decision' ? { ...first, blocks: [] } : first
  return [
    ...(known.has(path)
      ? []
      : [entryOf(own, { kind: kindOf(page), detail: description, text: description, besides })]),
    ...rest.map((section) => {
      const kind = page.section === 'guides' ? kindOf(page) : 'Section'
      return {
        ...entryOf(section, { kind, detail: title, text: '', besides: '' }),
        names: `${title} ${section.name}`.trim(),
      }
    }),
    ...rows.flatMap((row) => rowEntry(page, row, known)),
  ]
}

const kindOf = ({ section, path, crumbs }: Page): string => {
  if (section === 'guides') return 'Guide'
  if (section === 'changelog') return 'Changelog'
  return path.startsWith('/decisions/') && crumbs.length > 0 ? 'Decision' : 'Page'
}

/** What stands before the first heading has the address of the page. */
function sectionsOf({ title, path, blocks }: Page): [Section, ...Section[]] {
  const first: Section = { title, name: '', url: path, blocks: [] }
  const rest: Section[] = []
  for (const block of blocks)
    if (block.kind === 'heading') {
      const name = block.id === slugOf(block.text) ? '' : block.id
      rest.push({ title: wordsOf(block.text), name, url: `${path}#${block.id}`, blocks: [] })
    } else (rest.at(-1) ?? first).blocks.push(block)
  return [first, ...rest]
}

interface Said {
  readonly kind: string
  readonly detail: string
  readonly text: string
  /** What it is found by although it stands elsewhere on the page. */
  readonly besides: string
}

/** Sentences count more than what stands in tables and code, of which each word is kept once. */
function entryOf({ title, url, blocks }: Section, { kind, detail, text, besides }: Said): Draft {
  const isProse = (block: Block) => block.kind === 'prose'
  const sentences = [text, wordsOfBlocks(blocks.filter(isProse))].filter(Boolean).join(' ')
  const others = wordsOfBlocks(blocks.filter((block) => !isProse(block)))
  const code = blocks.flatMap((block) => (block.kind === 'prose' ? fencedIn(block.markdown) : []))
  const body = newWords([others, ...code, besides].join(' '), `${title} ${sentences}`)
  return { kind, title, names: '', text: sentences, url, detail, body }
}

const fencedIn = (markdown: string): string[] => markdown.match(/```[\s\S]*?```/g) ?? []

function rowEntry({ title: page, path }: Page, { id, cells }: TableRow, known: ReadonlySet<string>): Draft[] {
  const url = `${path}#${id}`
  const [title = '', ...rest] = cells.map(wordsOf)
  const text = rest.join(' ')
  return id === undefined || known.has(url)
    ? []
    : [{ kind: 'Decision', title, names: '', text, url, detail: `${page}: ${text}` }]
}

/** What no two examples have in common, and nobody looks for: identifiers and moments. */
const unsaid = /^(?:[0-9a-f]{24}|\d{4}-\d\d-\d\dT.*)$/i

/** Words that are in a text and not in another, each once: how often something says them does not matter. */
export function newWords(text: string, said: string): string {
  const wordsIn = (each: string) =>
    each.split(/[^\p{L}\p{N}_.-]+/u).map((word) => word.replace(/^[._-]+|[._-]+$/g, ''))
  const known = new Set(wordsIn(said).map((word) => word.toLowerCase()))
  return wordsIn(text)
    .filter((word) => {
      const key = word.toLowerCase()
      const isNew = word.length > 1 && !known.has(key) && !unsaid.test(word)
      known.add(key)
      return isNew
    })
    .join(' ')
}

/** All words of blocks but those that have entries of their own: rows with an address, and members of shapes. */
export const wordsOfBlocks = (blocks: readonly Block[]): string => blocks.map(wordsOfBlock).join(' ')

function wordsOfBlock(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return wordsOf(block.text)
    case 'prose':
      return wordsOf(block.markdown)
    case 'code':
      return block.isFailure ? '' : `${wordsOf(block.label ?? '')} ${block.text}`
    case 'table':
      return [block.head, ...block.rows.filter(({ id }) => !id).map(({ cells }) => cells)]
        .flat()
        .map(wordsOf)
        .join(' ')
    case 'list':
      return block.items.map(wordsOf).join(' ')
    case 'operations':
      return block.items.map(({ path, title }) => `${title} ${path}`).join(' ')
    case 'cards':
      return block.items.map(({ title, text }) => `${title} ${wordsOf(text)}`).join(' ')
    case 'facts':
      return block.items.map(([term, text]) => `${term} ${wordsOf(text)}`).join(' ')
    case 'fields':
      return block.rows.map(({ name }) => name).join(' ')
    case 'callout':
      return `${block.title} ${wordsOf(block.markdown)}`
    case 'badges':
      return block.items.map(({ text }) => text).join(' ')
    case 'endpoint':
      return `${block.method} ${block.prefix}${block.path}`
    case 'figure':
      return wordsOf(block.caption)
    case 'widget':
      return wordsOf(`${block.markdown} ${block.html.replace(/<[^>]*>/g, ' ')}`)
    // The same words in the samples of every operation: they tell none of them from the others.
    case 'samples':
      return ''
  }
}

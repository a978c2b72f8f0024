import type { SearchEntry } from '../browser/tokens.ts'
import type { Block, Page } from '../content/block.ts'
import { slugOf, wordsOf } from '../content/inline.ts'
import { addresses } from '../model/addresses.ts'

/** A search entry before it is written to a file. */
export type Draft = Omit<SearchEntry, 'key' | 'body'> & {
  readonly key?: string
  readonly body?: string
  /** Words from other pages that should also lead to this entry, such as words in an operation's requirements. */
  readonly related?: string
  /**
   * The IDs of the versions that the entry applies to, separated by spaces. If omitted, the entry applies to all
   * versions.
   */
  readonly span?: string
  /** Whether the entry is in the file for a newer version. */
  readonly isElsewhere?: true
}

type TableRow = Extract<Block, { kind: 'table' }>['rows'][number]

interface Section {
  readonly title: string
  /** An additional name for the section, such as the operation ID from its anchor. */
  readonly name: string
  readonly url: string
  readonly blocks: Block[]
}

/**
 * Returns the search entries for a page. Each section and each table row with its own address gets an entry.
 *
 * @param known The addresses that already have an entry. Pages for facts, operations and schemas are single
 *   entries, because all pages of the same kind have the same headings.
 */
export function pageEntries(page: Page, known: ReadonlySet<string>): Draft[] {
  const { title, path, description, blocks } = page
  if (known.has(path) && page.crumbs.length > 0) return []
  const [first, ...sections] = sectionsOf(page)
  // Individual lint rules have no search entries, because they would match searches about the API.
  const rest = path === addresses.lintRules ? [] : sections
  const headings = rest.flatMap(({ title: own, url }) => (known.has(url) ? [] : [own]))
  // Readers search for the title of a page together with the titles above it, as in "changelog 2025-03-12".
  const related = [...page.crumbs.map(([label]) => label), ...headings].join(' ')
  const rows = blocks.flatMap((block) => (block.kind === 'table' ? block.rows : []))
  // Pages about decisions repeat words from other pages, which have their own entries.
  const own = kindOf(page) === 'Decision' ? { ...first, blocks: [] } : first
  return [
    ...(known.has(path)
      ? []
      : [entryOf(own, { kind: kindOf(page), detail: description, text: description, related })]),
    ...rest.flatMap((section) => {
      if (known.has(section.url)) return []
      const kind = sectionKindOf(page)
      return [
        {
          ...entryOf(section, { kind, detail: title, text: '', related: '' }),
          // The title of the page about headers isn't useful for finding a particular header.
          names: kind === 'Header' ? '' : `${title} ${section.name}`.trim(),
        },
      ]
    }),
    ...rows.flatMap((row) => rowEntry(page, row, known)),
  ]
}

const kindOf = ({ section, path, crumbs }: Page): string => {
  if (path === addresses.headers) return 'Header'
  if (section === 'guides') return 'Guide'
  if (section === 'changelog') return 'Changelog'
  return path.startsWith('/decisions/') && crumbs.length > 0 ? 'Decision' : 'Page'
}

/**
 * Returns the kind of search entry for a page's sections. Sections that application developers rarely look for get a
 * kind that ranks lower.
 */
const sectionKindOf = (page: Page): string => {
  if (page.path.startsWith('/workflows/')) return 'Step'
  if (page.section === 'implementers') return 'For implementers'
  const kind = kindOf(page)
  return kind === 'Guide' || kind === 'Header' ? kind : 'Section'
}

/** Splits a page into sections. Content before the first heading gets the page's address. */
function sectionsOf({ title, path, blocks }: Page): [Section, ...Section[]] {
  const first: Section = { title, name: '', url: path, blocks: [] }
  const rest: Section[] = []
  for (const block of blocks)
    if (block.kind === 'heading') {
      const name = block.id === slugOf(block.text) ? '' : block.id
      rest.push({ title: wordsOf(block.text), name, url: `${path}#${block.id}`, blocks: [] })
    } else
      (rest.at(-1) ?? first).blocks.push(...(block.kind === 'fold' && !block.id ? block.blocks : [block]))
  return [first, ...rest]
}

interface EntryText {
  readonly kind: string
  readonly detail: string
  readonly text: string
  /** Words from the rest of the page that should also lead to this entry. */
  readonly related: string
}

/** Creates a search entry. Words in sentences count more than words in tables and code. */
function entryOf({ title, url, blocks }: Section, { kind, detail, text, related }: EntryText): Draft {
  const isProse = (block: Block) => block.kind === 'prose'
  const sentences = [text, wordsOfBlocks(blocks.filter(isProse))].filter(Boolean).join(' ')
  const others = wordsOfBlocks(blocks.filter((block) => !isProse(block)))
  const code = blocks.flatMap((block) => (block.kind === 'prose' ? fencedIn(block.markdown) : []))
  const body = newWords([others, ...code, related].join(' '), `${title} ${sentences}`)
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

/**
 * Matches words that aren't indexed. IDs and timestamps are different in each example, and readers don't search for
 * them.
 */
const notIndexed = /^(?:[0-9a-f]{24}|\d{4}-\d\d-\d\dT.*)$/i

/** Returns the words in a text that aren't in another text. Each word is returned only once. */
export function newWords(text: string, other: string): string {
  const wordsIn = (each: string) =>
    each.split(/[^\p{L}\p{N}_.-]+/u).map((word) => word.replace(/^[._-]+|[._-]+$/g, ''))
  const known = new Set(wordsIn(other).map((word) => word.toLowerCase()))
  return wordsIn(text)
    .filter((word) => {
      const key = word.toLowerCase()
      const isNew = word.length > 1 && !known.has(key) && !notIndexed.test(word)
      known.add(key)
      return isNew
    })
    .join(' ')
}

/**
 * Returns all words in a page's blocks, except in parts that have their own search entries: table rows with an address,
 * and fields of schemas.
 */
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
    case 'repeated':
      return block.names.join(' ')
    case 'callout':
      return `${block.title} ${wordsOf(block.markdown)}`
    case 'badges':
      return block.items.map(({ text }) => text).join(' ')
    case 'endpoint':
      return `${block.method} ${block.prefix}${block.path}`
    case 'figure':
      return wordsOf(block.caption)
    case 'widget':
      return block.isData ? '' : wordsOf(`${block.markdown} ${block.html.replace(/<[^>]*>/g, ' ')}`)
    // Collapsed blocks contain the values of headers, which are the same for nearly all operations.
    case 'fold':
      return block.id === 'headers' ? '' : wordsOfBlocks(block.blocks)
    case 'rail':
      return wordsOfBlocks(block.blocks)
    // Sample requests aren't indexed, because all of them contain the same words.
    case 'samples':
      return block.items
        .flatMap(({ caption, text, isIndexed }) => (isIndexed ? [`${caption} ${text}`] : []))
        .join(' ')
  }
}

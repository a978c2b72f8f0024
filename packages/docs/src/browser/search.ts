import MiniSearch, { type SearchResult } from 'minisearch'
import { pathFinder } from './search-path.ts'
import { indexOptions, type SearchEntry, tokens } from './tokens.ts'

/** Finds entries of an index; the same in pages and in tests. */
export interface Finder {
  find(query: string, limit?: number): Found[]
}

export type Found = Pick<SearchEntry, 'title' | 'kind' | 'url' | 'detail'>

/** What a kind of entry is worth beside its match: an operation before a field of it. */
const weights: Readonly<Record<string, number>> = {
  Operation: 2.2,
  Guide: 1.6,
  Error: 1.5,
  Schema: 1.5,
  Limit: 1.2,
  Role: 1.3,
  Lifecycle: 1.3,
  Member: 0.8,
  Parameter: 0.75,
  Value: 0.9,
  Requirement: 0.3,
}

/** What people type, and the pages say otherwise. */
const otherWords: Readonly<Record<string, string>> = {
  authenticate: 'authentication',
  login: 'authentication',
  paginate: 'paging',
  pagination: 'paging',
}

const emptyWords = new Set(
  'a an and are can do does for how i in is my of on or the to what when where which with'.split(' '),
)

/** What a word has in common with its kin: `authenticate` and `authentication` begin with `authentic`. */
const stemOf = (word: string): string =>
  word.replace(/(?<=.{4})(?:ations?|at(?:e|es|ed|ing)|ions?|ing|ed|es|e|s)$/i, '')

/** One typing error; a letter swapped with its neighbour is two, which is tried when one found nothing. */
const typingErrors = (allowed: number) => (term: string) => (term.length < 4 ? false : allowed)

/** The words of a query, each with what may stand for it; a sentence counts without its empty words. */
function queriesOf(query: string) {
  const all = tokens(query)
  const full = all.filter((word) => !emptyWords.has(word.toLowerCase()))
  return (full.length > 0 ? full : all).map((word) => {
    const alike = [word, stemOf(word), otherWords[word.toLowerCase()] ?? word]
    return { combineWith: 'OR' as const, queries: [...new Set(alike)] }
  })
}

/** Makes the index of all entries. */
export function createFinder(entries: readonly SearchEntry[]): Finder {
  const search = new MiniSearch<SearchEntry & { id: number }>(indexOptions)
  search.addAll(entries.map((entry, id) => ({ ...entry, id })))
  const byPath = pathFinder(entries)
  const entryOf = ({ id }: SearchResult): SearchEntry | undefined => entries[Number(id)]
  const run = (query: string, allowed: number): SearchResult[] =>
    search.search(
      { combineWith: 'AND', queries: queriesOf(query) },
      {
        tokenize: (word) => [word],
        boost: { title: 4, names: 3 },
        prefix: (term) => term.length > 1,
        fuzzy: allowed > 0 && typingErrors(allowed),
        boostDocument: (id) => weights[entries[Number(id)]?.kind ?? ''] ?? 1,
      },
    )
  const byWords = (query: string): SearchEntry[] => {
    // What is written as it was typed comes alone: `once` is no answer to `nonce` where there is a nonce.
    const found = [0, 1, 2].reduce<SearchResult[]>(
      (before, allowed) => (before.length > 0 ? before : run(query, allowed)),
      [],
    )
    const wanted = query.trim()
    const rank = (result: SearchResult) => {
      const key = entryOf(result)?.key ?? ''
      return key === wanted ? 0 : key.toLowerCase() === wanted.toLowerCase() ? 1 : 2
    }
    return found.sort((a, b) => rank(a) - rank(b) || b.score - a.score).flatMap((each) => entryOf(each) ?? [])
  }
  return {
    find: (query, limit) => {
      const paths = byPath(query)
      return (paths.length > 0 ? paths : byWords(query))
        .slice(0, limit)
        .map(({ title, kind, url, detail }) => ({ title, kind, url, detail }))
    },
  }
}

/** What bears a name, or part of it, or a path: found without an index, in versions that one does not read. */
export function findByName(entries: readonly SearchEntry[], query: string): Found[] {
  const wanted = query.trim().toLowerCase()
  const paths = pathFinder(entries)(query)
  if (paths.length > 0) return paths
  const named = entries.filter(({ title, key }) =>
    [title, key].some((name) => name.toLowerCase().includes(wanted)),
  )
  const isWhole = ({ title, key }: SearchEntry) => [title, key].some((name) => name.toLowerCase() === wanted)
  return [...named.filter(isWhole), ...named.filter((each) => !isWhole(each))]
}

/** Whether nothing has the name that is asked for; a sentence asks for none. */
export function lacksName(found: readonly Found[], query: string): boolean {
  const wanted = query.trim()
  const isName = /^\S+$/.test(wanted) && /[a-z][A-Z]|_/.test(wanted)
  const bears = ({ title }: Found) => title.toLowerCase().includes(wanted.toLowerCase())
  return found.length === 0 || (isName && !found.some(bears))
}

import MiniSearch, { type SearchResult } from 'minisearch'
import { indexOptions, type SearchEntry } from './tokens.ts'

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
}

/** One typing error; a letter swapped with its neighbour is two, which is tried when one found nothing. */
const typingErrors = (allowed: number) => (term: string) => (term.length < 4 ? false : allowed)

/** Makes the index of all entries. */
export function createFinder(entries: readonly SearchEntry[]): Finder {
  const search = new MiniSearch<SearchEntry & { id: number }>(indexOptions)
  search.addAll(entries.map((entry, id) => ({ ...entry, id })))
  const entryOf = ({ id }: SearchResult): SearchEntry | undefined => entries[Number(id)]
  const run = (query: string, allowed: number): SearchResult[] =>
    search.search(query, {
      boost: { title: 4, names: 3 },
      prefix: (term) => term.length > 1,
      fuzzy: typingErrors(allowed),
      combineWith: 'AND',
      boostDocument: (id) => weights[entries[Number(id)]?.kind ?? ''] ?? 1,
    })
  return {
    find: (query, limit = 20) => {
      const exact = run(query, 1)
      const found = exact.length > 0 ? exact : run(query, 2)
      const wanted = query.trim()
      const rank = (result: SearchResult) => {
        const key = entryOf(result)?.key ?? ''
        return key === wanted ? 0 : key.toLowerCase() === wanted.toLowerCase() ? 1 : 2
      }
      return found
        .sort((a, b) => rank(a) - rank(b) || b.score - a.score)
        .slice(0, limit)
        .flatMap((result) => entryOf(result) ?? [])
        .map(({ title, kind, url, detail }) => ({ title, kind, url, detail }))
    },
  }
}

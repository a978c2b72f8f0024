import MiniSearch, { type Query, type SearchResult } from 'minisearch'
import { pathFinder } from './search-path.ts'
import { formsOf, isTypingError, isWeak, kinOf, meaningOf, type Word, wordsIn } from './search-words.ts'
import { indexOptions, operationKinds, type SearchEntry } from './tokens.ts'

/** Finds entries of an index; the same in pages and in tests. */
export interface Finder {
  find(query: string, limit?: number): Answer
}

/** What is found, and what there is to say of it. */
export interface Answer {
  readonly message: string
  readonly found: readonly Found[]
  /** Whether it has other words than those that were typed. */
  readonly guessed?: boolean
}

export type Found = Pick<SearchEntry, 'title' | 'kind' | 'url' | 'detail'>

/** What a kind of entry is worth beside its match: an operation before a field of it, and before one that it has replaced. */
const weights: Readonly<Record<string, number>> = {
  [operationKinds.current]: 2.2,
  [operationKinds.deprecated]: 1.9,
  Guide: 1.6,
  Page: 1.6,
  Error: 1.5,
  Schema: 1.5,
  Section: 1.4,
  Role: 1.3,
  Lifecycle: 1.3,
  Limit: 1.2,
  Value: 0.9,
  Version: 0.6,
  Member: 0.8,
  Parameter: 0.75,
  Changelog: 0.7,
  Decision: 0.3,
  Requirement: 0.3,
}

const searchOptions = {
  tokenize: (word: string) => [word],
  boost: { title: 4, names: 3, body: 0.5 },
  prefix: (term: string) => term.length > 1,
}

/** A word is there as it was typed, with another ending, by the parts of its name, or by another that asks for the same. */
function queryOf(word: Word): Query {
  const { parts } = word
  const own: Query = {
    combineWith: 'OR',
    queries: [
      ...formsOf(word),
      ...(parts.length > 0 ? [{ combineWith: 'AND' as const, queries: [...parts] }] : []),
    ],
  }
  const kin = kinOf(word)
  if (kin.length === 0) return own
  // What has the word itself gains nothing by another: a score grows with how many words are met.
  const others: Query = {
    combineWith: 'AND_NOT',
    queries: [{ combineWith: 'OR', queries: kin, prefix: false }, own],
  }
  return { combineWith: 'OR', queries: [own, others] }
}

interface Results {
  readonly message: string
  readonly results: readonly Pick<SearchResult, 'id' | 'score'>[]
  readonly guessed?: boolean
}

/** Makes the index of all entries. */
export function createFinder(entries: readonly SearchEntry[]): Finder {
  const search = new MiniSearch<SearchEntry & { id: number }>({
    ...indexOptions,
    searchOptions: {
      ...searchOptions,
      boostDocument: (id) => weights[entries[Number(id)]?.kind ?? ''] ?? 1,
    },
  })
  search.addAll(entries.map((entry, id) => ({ ...entry, id })))
  const byPath = pathFinder(entries)
  // Made with the index, and not when somebody waits for the first letters to find something.
  const called = entries.map((entry) => ({ entry, calling: callingOf(entry) }))
  const byWords = (query: string): Answer => {
    const { message, results, guessed } = resultsFor(search, wordsIn(query))
    const rank = ranking(query)
    const sorted = results
      .flatMap(({ id, score }) => {
        const found = called[Number(id)]
        return found ? [{ entry: found.entry, score, rank: rank(found.calling) }] : []
      })
      .sort((a, b) => a.rank - b.rank || b.score - a.score)
    return { message, found: sorted.map(({ entry }) => entry), ...(guessed && { guessed }) }
  }
  return {
    find: (query, limit) => {
      const paths = byPath(query)
      const { found, ...said } = paths.length > 0 ? { message: '', found: paths } : byWords(query)
      return {
        ...said,
        found: found.slice(0, limit).map(({ title, kind, url, detail }) => ({ title, kind, url, detail })),
      }
    },
  }
}

/** How an entry is called. */
interface Calling {
  /** Its title and its key. */
  readonly names: readonly string[]
  readonly lowerNames: readonly string[]
  readonly isPage: boolean
  /** What these mean; nothing for members, values and the like, which are as many as they are alike. */
  readonly meanings: readonly (readonly string[])[]
}

function callingOf({ title, key, url, kind }: SearchEntry): Calling {
  const isWeighty = (weights[kind] ?? 1) >= 1
  const isPage = !url.includes('#')
  // What a decision is about is no name of it.
  const names = kind === 'Decision' && !isPage ? [] : [...new Set([title, key])]
  const lowerNames = names.map((name) => name.toLowerCase())
  return { names, lowerNames, isPage, meanings: isWeighty ? names.map(meaningOf) : [] }
}

/**
 * Pages that are called as the query is come before places that are, those before what has all of its words in its
 * title, and those before what has them anywhere.
 */
function ranking(query: string): (calling: Calling) => number {
  const wanted = query.trim()
  const lowerWanted = wanted.toLowerCase()
  const meant = meaningOf(query)
  const hasAll = (meaning: readonly string[]) => meant.every((word) => meaning.includes(word))
  const isSame = (meaning: readonly string[]) => meaning.length === meant.length && hasAll(meaning)
  return ({ names, lowerNames, isPage, meanings }) => {
    if (names.includes(wanted)) return isPage ? 0 : 3
    if (lowerNames.includes(lowerWanted)) return isPage ? 1 : 4
    if (isPage && meanings.some(isSame)) return 2
    return meanings.some(hasAll) ? 5 : 6
  }
}

/** What has every word, or every one but the weak ones, which count where they are. */
function allOf(search: MiniSearch, words: readonly Word[]): Results['results'] {
  const strong = words.filter((word) => !isWeak(word))
  const weak = strong.length > 0 ? words.filter(isWeak) : []
  const queries = (weak.length > 0 ? strong : words).map(queryOf)
  const found = search.search({ combineWith: 'AND', queries })
  if (weak.length === 0) return found
  const more = search.search({ combineWith: 'OR', queries: weak.map(queryOf) })
  const bonus = new Map(more.map(({ id, score }) => [id, score]))
  return found.map(({ id, score }) => ({ id, score: score + (bonus.get(id) ?? 0) }))
}

/** So few have all of the words of a question that what has most of them may answer it as well. */
const few = 20

/** What has every word; else, where a word is nowhere, what has one like it; else what has most of the words. */
function resultsFor(search: MiniSearch, words: readonly Word[]): Results {
  const all = allOf(search, words)
  const isWhole = all.length >= few || (all.length > 0 && words.length < 3)
  if (isWhole) return { message: '', results: all }
  const each = words.map((word) => ({ word, results: search.search(queryOf(word)) }))
  const absent = each.flatMap(({ word, results }) => (results.length === 0 ? [word] : []))
  const guess = guessFor(search, words, absent)
  if (guess) return guess
  const names = absent.map(({ whole }) => `“${whole}”`).join(' and ')
  const are = absent.length > 1 ? 'are' : 'is'
  const results = mostOf(each.map(({ results: found }) => found))
  if (results.length === 0 || all.length > 0) return { message: '', results }
  return {
    results,
    message: names
      ? `${names} ${are} nowhere; this is for the other words.`
      : 'Nothing has all of these words.',
  }
}

/**
 * Takes words that are nowhere for typing errors. Beside words that are there only long ones: a short word is like many
 * that have nothing to do with it.
 */
function guessFor(search: MiniSearch, words: readonly Word[], absent: readonly Word[]): Results | undefined {
  const least = absent.length === words.length ? 4 : 6
  const meant = new Map(
    absent.map((word) => [word, word.whole.length < least ? [] : wordsLike(search, word.whole)]),
  )
  if (absent.length === 0 || [...meant.values()].some((like) => like.length === 0)) return undefined
  const queries = words.map((word): Query => {
    const like = meant.get(word)
    return like ? { combineWith: 'OR', queries: like, prefix: false } : queryOf(word)
  })
  const results = search.search({ combineWith: 'AND', queries })
  if (results.length === 0) return undefined
  const said = [...meant].map(
    ([{ whole }, like]) => `“${whole}” is nowhere; this is for “${like.join('” or “')}”.`,
  )
  return { message: said.join(' '), results, guessed: true }
}

/** Words of the index that one typing error leads to. Two letters swapped are two errors to the index. */
function wordsLike(search: MiniSearch, word: string): string[] {
  const options = { tokenize: searchOptions.tokenize, prefix: false, fuzzy: 2 }
  const terms = new Set(search.search(word, options).flatMap((result) => result.terms))
  return [...terms].filter((term) => isTypingError(word, term))
}

/** Entries that have at least half of the words, those with more of them first. */
function mostOf(found: readonly (readonly SearchResult[])[]): Results['results'] {
  const byId = new Map<unknown, { id: unknown; score: number; words: number }>()
  for (const { id, score } of found.flat()) {
    const known = byId.get(id) ?? { id, score: 0, words: 0 }
    byId.set(id, { id, score: known.score + score, words: known.words + 1 })
  }
  const asked = found.filter((results) => results.length > 0).length
  // The score of one word is far below this.
  const manyWords = 1e6
  return [...byId.values()]
    .filter(({ words }) => words * 2 >= asked)
    .map(({ id, score, words }) => ({ id, score: score + words * manyWords }))
    .sort((a, b) => b.score - a.score)
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
export function lacksName({ found, guessed = false }: Answer, query: string): boolean {
  const wanted = query.trim()
  const isName = /^\S+$/.test(wanted) && /[a-z][A-Z]|_/.test(wanted)
  const bears = ({ title }: Found) => title.toLowerCase().includes(wanted.toLowerCase())
  return found.length === 0 || guessed || (isName && !found.some(bears))
}

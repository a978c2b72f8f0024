import MiniSearch, { type Query, type SearchResult } from 'minisearch'
import { pathFinder } from './search-path.ts'
import {
  formsOf,
  isTypingError,
  isWeak,
  joinedIn,
  kinOf,
  listMeantBy,
  meaningOf,
  namesIn,
  pageWordsOf,
  splitIn,
  stemOf,
  type Word,
  wordsIn,
} from './search-words.ts'
import { indexOptions, operationKinds, type SearchEntry, tokens } from './tokens.ts'

/** Searches the entries of an index. Used by the search page, the search box and tests. */
export interface Finder {
  find(query: string, limit?: number): SearchResponse
}

export interface SearchResponse {
  readonly message: string
  readonly found: readonly Found[]
  /** Whether the search corrected typos in the query. */
  readonly guessed?: boolean
  /** Whether the query contains a path, in which case the results are the operations with this path. */
  readonly isPath?: boolean
}

export type Found = Pick<SearchEntry, 'title' | 'kind' | 'url' | 'detail'>

/** The weight of a match, by kind of entry. Operations rank above their fields and above deprecated operations. */
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
  'For implementers': 1,
  Step: 0.6,
  Header: 0.4,
  Version: 0.6,
  Field: 0.8,
  Parameter: 0.75,
  Changelog: 0.7,
  Decision: 0.3,
  Requirement: 0.3,
}

const searchOptions = {
  tokenize: (word: string) => [word],
  boost: { title: 4, names: 3, body: 0.5, kind: 0.5 },
  prefix: (term: string) => term.length > 1,
}

/** Matches queries that ask what a server must do. These queries should find requirements. */
const serverDuty =
  /\b(?:must|should|shall|may|does)\s+(?:the|a|my|our)\s+server\b|\b(?:the|a|my|our)?\s*server\s+(?:must|should|shall|has\s+to)\b/gi

/** Requirements normally rank low. This factor raises their rank if the query asks for requirements. */
const dutyWeight = 4

/** Kinds of entries that readers often add to a query, as in `name limit`. */
const namedKinds = new Set(['Error', 'Guide', 'Lifecycle', 'Limit', 'Role', 'Schema'])

/**
 * Builds the index query for one word. The query finds the word as typed, its other forms, the parts of its name, and
 * its synonyms.
 */
function queryOf(word: Word): Query {
  const { parts } = word
  const own: Query = {
    combineWith: 'OR',
    queries: [
      ...formsOf(word),
      ...(parts.length > 0 ? [{ combineWith: 'AND' as const, queries: [...parts] }] : []),
    ],
  }
  const [kin, sayings] = [kinOf(word), pageWordsOf(word)]
  if (kin.length + sayings.length === 0) return own
  // The index adds up scores, so an entry that contains the word itself must not score again for the word's synonyms.
  const others: Query = {
    combineWith: 'AND_NOT',
    queries: [
      { combineWith: 'OR', queries: [...sayings, { combineWith: 'OR', queries: kin, prefix: false }] },
      { ...own, fields: ['title', 'names'] },
    ],
  }
  return { combineWith: 'OR', queries: [own, others] }
}

interface Results {
  readonly message: string
  readonly results: readonly Pick<SearchResult, 'id' | 'score'>[]
  readonly guessed?: boolean
  /** The query after correcting typos. */
  readonly meant?: string
}

export function createFinder(entries: readonly SearchEntry[]): Finder {
  const search = new MiniSearch<SearchEntry & { id: number }>({
    ...indexOptions,
    fields: [...indexOptions.fields, 'kind'],
    extractField: (entry, field) =>
      field === 'kind' && !namedKinds.has(entry.kind) ? '' : Reflect.get(entry, field),
    searchOptions: {
      ...searchOptions,
      boostDocument: (id) => weights[entries[Number(id)]?.kind ?? ''] ?? 1,
    },
  })
  search.addAll(entries.map((entry, id) => ({ ...entry, id })))
  const byPath = pathFinder(entries)
  // Prepare the names while building the index so that the first search isn't slow.
  const called = entries.map((entry) => ({ entry, calling: callingOf(entry) }))
  const titleWords = new Set([...new Set(entries.map(({ title }) => title))].flatMap(plainWordsIn))
  const byWords = (typed: string): SearchResponse => {
    const written = typed.replace(serverDuty, ' ').trim() || typed
    const query = joinedIn(written, (stem) => titleWords.has(stem))
    const { message, results, guessed, meant = query } = resultsFor(search, wordsIn(query))
    const rank = ranking(meant)
    const sorted = results
      .flatMap(({ id, score }) => {
        const found = called[Number(id)]
        if (!found) return []
        const isDuty = written !== typed && found.entry.kind === 'Requirement'
        return [{ entry: found.entry, score: isDuty ? score * dutyWeight : score, rank: rank(found.calling) }]
      })
      .sort((a, b) => a.rank - b.rank || b.score - a.score)
    return { message, found: sorted.map(({ entry }) => entry), ...(guessed && { guessed }) }
  }
  return {
    find: (query, limit) => {
      const paths = byPath(query)
      const { found, ...notes } =
        paths.length > 0 ? { message: '', found: paths, isPath: true } : byWords(query)
      return {
        ...notes,
        found: found.slice(0, limit).map(({ title, kind, url, detail }) => ({ title, kind, url, detail })),
      }
    },
  }
}

/** Returns the stems of the ordinary words in a title. Skips names such as `getAlert`. */
const plainWordsIn = (title: string): string[] =>
  title
    .split(' ')
    .map(tokens)
    .flatMap(([word = '', ...parts]) => (parts.length > 0 ? [] : [stemOf(word.toLowerCase())]))

interface Calling {
  /** The entry's title and key. */
  readonly names: readonly string[]
  readonly lowerNames: readonly string[]
  readonly isPage: boolean
  readonly isOperation: boolean
  /**
   * The meaning of each name. Empty for fields, values and similar entries, because many of them have almost the same
   * meaning.
   */
  readonly meanings: readonly ReadonlySet<string>[]
  /** The entry's kind, if readers often add this kind to queries. */
  readonly named?: string | undefined
}

function callingOf({ title, key, url, kind }: SearchEntry): Calling {
  const isWeighty = (weights[kind] ?? 1) >= 1
  const isPage = !url.includes('#')
  // A decision's title describes its topic, so readers don't search for it as a name.
  const names = kind === 'Decision' && !isPage ? [] : [...new Set([title, key])]
  const lowerNames = names.map((name) => name.toLowerCase())
  const meanings = isWeighty ? names.map((name) => new Set(meaningOf(name))) : []
  const isOperation = kind === operationKinds.current || kind === operationKinds.deprecated
  return {
    names,
    lowerNames,
    isPage,
    isOperation,
    meanings,
    named: namedKinds.has(kind) ? kind.toLowerCase() : undefined,
  }
}

/**
 * Returns a function that ranks entries. Pages whose name matches the query exactly rank highest. Other entries with
 * the same name come next, then entries with all query words in their title, and then all other entries.
 */
function ranking(query: string): (calling: Calling) => number {
  const wanted = query.trim()
  const lowerWanted = wanted.toLowerCase()
  const within = new Set(namesIn(wanted))
  // Names such as `getAlert` can match any entry, not only pages.
  const isName = !wanted.includes(' ') && tokens(wanted).length > 1
  const meant = meaningOf(query)
  const listed = listMeantBy(query)
  return ({ names, lowerNames, isPage, isOperation, meanings, named }) => {
    if (names.includes(wanted)) return isPage ? 0 : 3
    if (lowerNames.includes(lowerWanted)) return isPage ? 1 : 4
    // If the query is a whole sentence that contains a page's name, prefer the page.
    if (isPage && names.some((name) => within.has(name))) return 2
    const asked = listed && isOperation ? [meant, listed] : [meant]
    let rank = 7
    for (const own of meanings)
      for (const words of asked) {
        const known = words.filter((word) => own.has(word)).length
        if (known === words.length && known === own.size) return isPage && !isName ? 2 : 5
        // If only the entry's kind matches, the rank stays the same.
        if (known > 0 && words.every((word) => own.has(word) || word === named)) rank = 6
      }
    return rank
  }
}

/** Finds entries that contain all words. Words such as "get" are optional, but increase the score. */
function allOf(search: MiniSearch, words: readonly Word[]): Results['results'] {
  const named = words.filter(({ isName }) => isName)
  const strong = named.length > 0 ? named : words.filter((word) => !isWeak(word))
  const weak = strong.length > 0 ? words.filter((word) => !strong.includes(word)) : []
  const queries = (weak.length > 0 ? strong : words).map(queryOf)
  const found = search.search({ combineWith: 'AND', queries })
  if (weak.length === 0) return found
  const more = search.search({ combineWith: 'OR', queries: weak.map(queryOf) })
  const bonus = new Map(more.map(({ id, score }) => [id, score]))
  return found.map(({ id, score }) => ({ id, score: score + (bonus.get(id) ?? 0) }))
}

/**
 * Returns the minimum number of results. With fewer results, the search also returns entries that contain most but not
 * all of the words.
 */
const fewFor = (words: readonly Word[]): number => (words.length > 2 ? 20 : 3)

/**
 * Finds entries that contain all words. If there are too few results, corrects typos or adds entries that contain most
 * of the words.
 */
function resultsFor(search: MiniSearch, words: readonly Word[]): Results {
  const all = allOf(search, words)
  const isWhole = all.length >= fewFor(words) || (all.length > 0 && words.length === 1)
  if (isWhole) return { message: '', results: all }
  const each = words.map((word) => ({ word, results: search.search(queryOf(word)) }))
  const absent = each.flatMap(({ word, results }) => (results.length === 0 ? [word] : []))
  const guess = guessFor(search, words, absent)
  if (guess) return guess
  const names = absent.map(({ whole }) => `“${whole}”`).join(' and ')
  const parts = words.flatMap((word) => (absent.includes(word) ? word.parts.flatMap(wordsIn) : [word]))
  if (names && parts.length > words.length) {
    const { results } = resultsFor(search, parts)
    const message = `No results for ${names}. Showing results for parts of the name instead.`
    if (results.length > 0) return { message, results }
  }
  const results = mostOf(
    search,
    each.map(({ results: found }) => found),
  )
  if (results.length === 0 || all.length > 0) return { message: '', results }
  return {
    results,
    message: names
      ? `No results for ${names}. Showing results for the other words instead.`
      : 'No results for all of these words. Showing results for most of them instead.',
  }
}

/**
 * Corrects words that aren't in the index. If the other words have results, corrects only long words, because short
 * words are similar to many unrelated words.
 */
function guessFor(search: MiniSearch, words: readonly Word[], absent: readonly Word[]): Results | undefined {
  const least = absent.length === words.length ? 4 : 6
  const meant = new Map(
    absent.map((word) => [word, word.whole.length < least ? [] : wordsLike(search, word.whole)]),
  )
  if (absent.length === 0 || [...meant.values()].some((like) => like.length === 0)) return undefined
  const queries = words.map((word): Query => {
    const like = meant.get(word)
    return like ? { combineWith: 'OR', queries: like.map(likeQuery) } : queryOf(word)
  })
  const results = search.search({ combineWith: 'AND', queries })
  if (results.length === 0) return undefined
  const corrections = [...meant].map(
    ([{ whole }, like]) => `No results for “${whole}”. Showing results for “${like.join('” or “')}” instead.`,
  )
  const asked = words.map((word) => meant.get(word)?.[0] ?? word.whole).join(' ')
  return { message: corrections.join(' '), results, guessed: true, meant: asked }
}

/** Returns the query for a word from the index, or for two words that the reader typed as one. */
function likeQuery(like: string): Query {
  const words = wordsIn(like)
  return words.length > 1
    ? { combineWith: 'AND', queries: words.map(queryOf) }
    : { combineWith: 'OR', queries: [like], prefix: false }
}

/** Words with at least this many letters may contain two typos, because few other words are similar to them. */
const longWord = 10

/**
 * Returns words from the index that differ from the word by one typo. If the word consists of two words from the index
 * without a space, returns these two words.
 */
function wordsLike(search: MiniSearch, word: string): string[] {
  const exact = { tokenize: searchOptions.tokenize, prefix: false }
  // The index counts two swapped letters as two errors, so a maximum distance of 2 also finds swapped letters.
  const near = [...new Set(search.search(word, { ...exact, fuzzy: 2 }).flatMap(({ terms }) => terms))]
  const like = near.filter((term) => isTypingError(word, term))
  if (like.length > 0) return like
  if (near.length > 0 && word.length >= longWord) return near
  const parts = splitIn(word, (part) => search.search(part, exact).length > 0)
  return parts ? [parts.join(' ')] : []
}

/** The weight of a word in tables or code, relative to the same word in sentences or names. */
const bodyShare = 0.5

/**
 * Finds entries that contain at least half of the words. Rare words count more than common words, and words that appear
 * only in tables or code count less.
 */
function mostOf(search: MiniSearch, found: readonly (readonly SearchResult[])[]): Results['results'] {
  const byId = new Map<unknown, { id: unknown; score: number; words: number; share: number }>()
  for (const results of found) {
    const rarity = Math.log(1 + search.documentCount / Math.max(1, results.length))
    for (const { id, score, match } of results) {
      const known = byId.get(id) ?? { id, score: 0, words: 0, share: 0 }
      const isInBody = Object.values(match).every((fields) => fields.every((field) => field === 'body'))
      const share = known.share + rarity * (isInBody ? bodyShare : 1)
      byId.set(id, { id, score: known.score + score, words: known.words + 1, share })
    }
  }
  const asked = found.filter((results) => results.length > 0).length
  return [...byId.values()]
    .filter(({ words }) => words * 2 >= asked)
    .map(({ id, score, share }) => ({ id, score: share ** 3 * score }))
    .sort((a, b) => b.score - a.score)
}

/**
 * Finds entries of other versions by name, by part of a name, or by path. This search doesn't need an index of those
 * versions.
 */
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

/** Kinds of entries that mention names without defining them, and apply to all versions. */
const aboutNames = new Set(['Decision', 'Requirement', 'For implementers'])

/**
 * Returns whether no result matches the name or path in the query. A query that is a sentence doesn't count as a name.
 */
export function lacksName(
  { found, guessed = false, isPath = false }: SearchResponse,
  query: string,
): boolean {
  const wanted = query.trim()
  if (!isPath && /^(?:[a-z]+\s+)?\/\S/i.test(wanted)) return true
  const isName = /^\S+$/.test(wanted) && /[a-z][A-Z]|_/.test(wanted)
  // The URL of an operation's page contains the operation's ID.
  const hasName = ({ title, url, kind }: Found) =>
    !aboutNames.has(kind) && [title, url].some((text) => text.toLowerCase().includes(wanted.toLowerCase()))
  return found.length === 0 || guessed || (isName && !found.some(hasName))
}

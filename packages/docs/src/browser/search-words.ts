import { tokens } from './tokens.ts'

/** Returns the stem of a word. For example, the stem of both `authenticate` and `authentication` is `authentic`. */
export const stemOf = (word: string): string =>
  word.replace(
    /(?:(?<=.{4})(?:ally|ly|ations?|at(?:e|es|ed|ing)|ion(?:s|ed|ing)?|ing|ies|y|ed|es|e|(?<!s)s)|(?<=.{3})(?<![isu])s)$/i,
    '',
  )

/** Parses lines such as `word: synonyms`. Returns a map from each word's stem to the synonyms. */
const byStem = (lines: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    lines
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/:? /))
      .map(([typed = '', ...synonyms]) => [stemOf(typed), synonyms]),
  )

/** Words that readers often type, with the words that the pages use instead. */
const otherWords = byStem(`
  backup: snapshot
  ci: integration
  date: createdAt created
  eol: ends
  flex: serverless
  indices: index
  last: lifetime
  k8s: kubernetes
  length: limit
  login: authentic
  page: paging
  paginate: paging
  permission: role
  poll: until
  privilege: role
  quickstart: started
  sdk: client
  throttle: rate_limited
  valid: lifetime
`)

/** Phrases that readers often type, with the words that the pages use instead. */
const otherNames: ReadonlyMap<RegExp, string> = new Map([
  [/\b(?:ip\s+)?(?:white|allow)[\s-]*list\w*/gi, 'ip access list'],
  [/\b(?:turn|switch)(?:s|ed|ing)?\s+off\b/gi, 'disable'],
  [/\b(?:turn|switch)(?:s|ed|ing)?\s+on\b/gi, 'enable'],
  [/\bstop(?:s|ped)?\s+working\b/gi, 'end date'],
  [/\b(?:is|are)\s+down\b/gi, 'unavailable'],
  [/\bhow\s+(?:many|large|big)\b/gi, 'limit'],
])

/**
 * Groups of synonyms. For example, our pages say "take a snapshot" and "create an index", but readers may use either
 * verb for both.
 */
const sameWords: readonly (readonly string[])[] = [
  ['create', 'take', 'make', 'add', 'new'],
  ['delete', 'remove', 'drop', 'erase', 'destroy'],
  ['update', 'change', 'edit', 'modify'],
  ['cancel', 'abort', 'stop', 'end'],
  ['acknowledge', 'mute', 'silence', 'snooze'],
  ['list', 'browse', 'find', 'search', 'show'],
]

const sameAs = (word: string): readonly string[] => sameWords.find((same) => same.includes(word)) ?? []

/** Stop words, which are ignored in queries. */
const emptyWords = new Set(
  `a an and any are at be by can could do does for from happen happens has have how i if in into is it its know long many me much my need of off on one or our own
  should that the their them then there these they this through to use used using want was we what when where which who why will
  with without would you your`.split(/\s+/),
)

/**
 * Words that a result doesn't have to contain. For example, a search for "get a token" should find `issueToken`, which
 * doesn't contain "get".
 */
const weakWords = new Set(
  'all detail details fetch find get latest newest obtain oldest recent see show view'.split(' '),
)

/**
 * Words such as `since` or `latest`, which indicate that the reader wants a subset of items. Queries with these words
 * should find list operations.
 */
const criteria =
  /\b(?:after|before|between|dates?|filter\w*|latest|newest|oldest|recent|since|sort\w*|by(?!\s+(?:ids?|names?)\b))\b/gi

/**
 * Finds the names of operations, schemas and errors in text. These names consist of several words, as in `getAlert`.
 */
export const namesIn = (text: string): string[] =>
  text
    .split(/[^\p{L}\p{N}_.-]+/u)
    .map((word) => word.replace(/^[._-]+|[._-]+$/g, ''))
    .filter((word) => /[a-z][A-Z]|_/.test(word) && !/[.-]/.test(word))

/** Returns whether a word is an HTTP error status. */
const isStatus = (word: string): boolean => /^[45]\d\d$/.test(word)

/** Returns whether an entry can match a query without containing this word. */
export const isWeak = ({ whole }: Word): boolean => weakWords.has(whole)

export interface Word {
  readonly whole: string
  /** The parts of the word if it is a name. For example, `alertConfig` has the parts `alert` and `config`. */
  readonly parts: readonly string[]
  /** Whether the word is the name of an operation, schema or error, or an HTTP error status. */
  readonly isName?: true
}

/** Returns a query's words, without stop words. */
export function wordsIn(query: string): Word[] {
  const written = [...otherNames].reduce((text, [typed, synonym]) => text.replace(typed, synonym), query)
  const all = written.split(/[^\p{L}\p{N}_.-]+/u).flatMap((text): Word[] => {
    const [whole, ...parts] = tokens(text)
    if (whole === undefined) return []
    const isName = namesIn(whole).length > 0 || isStatus(whole)
    return [{ whole: whole.toLowerCase(), parts, ...(isName && { isName: true as const }) }]
  })
  const full = all.filter(({ whole }) => !emptyWords.has(whole))
  return full.length > 0 ? full : all
}

const synonymsFor = (word: string): readonly string[] => otherWords.get(stemOf(word)) ?? []

/**
 * Joins two query words that are a single word on the pages, such as `web hook`. `isWord` returns whether a stem occurs
 * on the pages.
 */
export function joinedIn(query: string, isWord: (stem: string) => boolean): string {
  const words: string[] = []
  for (const word of query.split(/\s+/)) {
    const both = `${words.at(-1) ?? ''}${word}`
    const isOne = both !== word && isWord(stemOf(both.toLowerCase()))
    if (isOne) words.pop()
    words.push(isOne ? both : word)
  }
  return words.join(' ')
}

/** Splits a query word that is two words on the pages, such as `ratelimit`. */
export function splitIn(word: string, isWord: (part: string) => boolean): string[] | undefined {
  const shortest = 3
  for (let at = shortest; at <= word.length - shortest; at += 1) {
    const parts = [word.slice(0, at), word.slice(at)]
    if (parts.every(isWord)) return parts
  }
  return undefined
}

/** Returns the forms of a word to search for: the word as typed, its stem, and its American spelling. */
export const formsOf = ({ whole }: Word): string[] => [
  ...new Set([whole, stemOf(whole), stemOf(whole.replace(/is(?=ations?$|e[ds]?$|ing$)/, 'iz'))]),
]

/** Returns the words that the pages use for a word that the reader typed. */
export const pageWordsOf = ({ whole }: Word): readonly string[] => synonymsFor(whole)

/** Returns a word's synonyms. Only whole words have synonyms. Otherwise, `add` would match `addresses`. */
export const kinOf = ({ whole }: Word): string[] => sameAs(whole).filter((each) => each !== whole)

/** Returns the stems of the word that represents a group of synonyms. Splits error codes into several words. */
const commonFor = (word: string): string[] =>
  (synonymsFor(word)[0] ?? sameAs(word)[0] ?? word).split('_').map(stemOf)

/**
 * Reduces a title or query to its meaning: the sorted stems of its words, without stop words. Names such as `getAlert`
 * are split into words.
 */
export function meaningOf(text: string): string[] {
  const words = wordsIn(text)
    .flatMap(({ whole, parts }) => (parts.length > 0 ? parts : [whole]))
    .flatMap((word) => commonFor(word.toLowerCase()))
  return [...new Set(words)].sort()
}

/** Interprets queries that implicitly ask for a list, such as `all alerts` or `alerts by date`, as `list alerts`. */
export function listMeantBy(query: string): string[] | undefined {
  const listed = query.replace(criteria, ' ').replace(/\ball\b/i, ' ')
  return listed === query || wordsIn(listed).length === 0 ? undefined : meaningOf(`list ${listed}`)
}

/** Returns whether two words differ by a single typo: a missing, extra or wrong letter, or two swapped letters. */
export function isTypingError(typed: string, meant: string): boolean {
  let begin = 0
  while (begin < typed.length && typed[begin] === meant[begin]) begin += 1
  const [rest, other] = [typed.slice(begin), meant.slice(begin)]
  const isSwapped = rest[0] === other[1] && rest[1] === other[0] && rest.slice(2) === other.slice(2)
  return (
    typed !== meant &&
    (rest.slice(1) === other || rest === other.slice(1) || rest.slice(1) === other.slice(1) || isSwapped)
  )
}

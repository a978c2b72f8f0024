import { tokens } from './tokens.ts'

/** What people type, and the pages say otherwise. */
const otherWords: ReadonlyMap<string, string> = new Map([
  ['authenticate', 'authentication'],
  ['date', 'createdAt'],
  ['docker', 'container'],
  ['eol', 'ends'],
  ['filter', 'list'],
  ['flex', 'serverless'],
  ['k8s', 'kubernetes'],
  ['login', 'authentication'],
  ['page', 'paging'],
  ['pages', 'paging'],
  ['paginate', 'paging'],
  ['pagination', 'paging'],
  ['quickstart', 'started'],
  ['sdk', 'client'],
  ['shut', 'ends'],
  ['timezone', 'zones'],
  ['throttle', 'rate_limited'],
  ['throttled', 'rate_limited'],
  ['throttling', 'rate_limited'],
  ['timezones', 'zones'],
])

/** What people write in two words, and the pages in one. */
const oneWord: ReadonlyMap<RegExp, string> = new Map([
  [/\bchange\s+log/gi, 'changelog'],
  [/\bweb\s+hook/gi, 'webhook'],
])

/** Words that ask for the same: a snapshot is taken, and an index is created. */
const sameWords: readonly (readonly string[])[] = [
  ['create', 'take', 'make', 'add'],
  ['delete', 'remove', 'drop'],
]

const sameAs = (word: string): readonly string[] => sameWords.find((same) => same.includes(word)) ?? []

/** Words of questions: they ask for nothing by themselves. */
const emptyWords = new Set(
  `a an and any are at be by can could do does for from has have how i if in into is it its long many me much my need of off on or our
  should that the their them then there these they this to use used using want was we what when where which who why will
  with without would you your`.split(/\s+/),
)

/** What people want of a thing whatever it is called there: who gets a token is issued one. */
const weakWords = new Set(['all', 'fetch', 'get', 'obtain'])

/** Whether an entry may lack a word. */
export const isWeak = ({ whole }: Word): boolean => weakWords.has(whole)

/** A word of a query. */
export interface Word {
  readonly whole: string
  /** The parts of a name such as `alertConfig`. */
  readonly parts: readonly string[]
}

/** The words of a query; a sentence counts without its empty words. */
export function wordsIn(query: string): Word[] {
  const written = [...oneWord].reduce((text, [two, one]) => text.replace(two, one), query)
  const all = written.split(/[^\p{L}\p{N}_.-]+/u).flatMap((text): Word[] => {
    const [whole, ...parts] = tokens(text)
    return whole === undefined ? [] : [{ whole: whole.toLowerCase(), parts }]
  })
  const full = all.filter(({ whole }) => !emptyWords.has(whole))
  return full.length > 0 ? full : all
}

/** What a word has in common with its kin: `authenticate` and `authentication` begin with `authentic`. */
export const stemOf = (word: string): string =>
  word.replace(/(?<=.{4})(?:ations?|at(?:e|es|ed|ing)|ion(?:s|ed|ing)?|ing|ies|y|ed|es|e|(?<!s)s)$/i, '')

/** What may stand for a word. */
export const formsOf = ({ whole }: Word): string[] => [
  ...new Set([whole, stemOf(whole), otherWords.get(whole) ?? whole]),
]

/** Other words that ask for the same; no longer ones, since addresses have nothing to do with adding. */
export const kinOf = ({ whole }: Word): string[] => sameAs(whole).filter((each) => each !== whole)

/** A title or a query as what it asks for: without its empty words, and whatever their endings are. */
export const meaningOf = (text: string): string[] =>
  wordsIn(text)
    .map(({ whole }) => stemOf(otherWords.get(whole) ?? sameAs(whole)[0] ?? whole))
    .sort()

/** Whether one typing error leads from a word to another: a letter missing, added, wrong, or two swapped. */
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

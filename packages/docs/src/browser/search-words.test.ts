import { expect, test } from 'vitest'
import {
  formsOf,
  isTypingError,
  isWeak,
  joinedIn,
  listMeantBy,
  meaningOf,
  namesIn,
  pageWordsOf,
  splitIn,
  stemOf,
  wordsIn,
} from './search-words.ts'

const wholes = (query: string) => wordsIn(query).map(({ whole }) => whole)

test('ignores stop words unless the query has nothing else', () => {
  expect(wholes('Which version should I use?')).toEqual(['version'])
  expect(wholes('how to do it')).toEqual(['how', 'to', 'do', 'it'])
  expect(wordsIn('alertConfig')).toEqual([{ whole: 'alertconfig', parts: ['alert', 'Config'], isName: true }])
})

test('makes words such as get optional', () => {
  expect(wordsIn('get all tokens').filter(isWeak)).toMatchObject([{ whole: 'get' }, { whole: 'all' }])
})

test('looks for a list if the query names a criterion', () => {
  for (const query of ['alert date', 'alerts by date', 'alerts since', 'newest alert', 'all alerts'])
    expect([query, listMeantBy(query)]).toEqual([query, meaningOf('list alerts')])
  for (const query of ['alert by id', 'index by name', 'date', 'alert'])
    expect([query, listMeantBy(query)]).toEqual([query, undefined])
})

test('gives a name the meaning of its parts', () => {
  for (const name of [
    'snapshotRetention',
    'snapshot_retention',
    'Snapshot-Retention',
    'retention of a snapshot',
  ])
    expect([name, meaningOf(name)]).toEqual([name, meaningOf('snapshot retention')])
  const isWord = (word: string) => ['webhook', 'rate', 'limit'].includes(word)
  expect(joinedIn('a Web Hooks secret', isWord)).toBe('a WebHooks secret')
  expect(splitIn('ratelimit', isWord)).toEqual(['rate', 'limit'])
  expect(splitIn('ratelimits', isWord)).toBeUndefined()
})

test('maps synonyms to the words of the pages', () => {
  for (const word of ['permission', 'permissions'])
    expect(pageWordsOf({ whole: word, parts: [] })).toEqual(['role'])
  expect(formsOf({ whole: 'authorisation', parts: [] })).toContain(stemOf('authorization'))
})

test('has no synonyms that are properties of every object', () => {
  for (const word of ['constructor', 'toString', '__proto__'])
    expect(
      wordsIn(word)
        .flatMap(formsOf)
        .every((form) => typeof form === 'string'),
    ).toBe(true)
})

test('finds the common stem of related words', () => {
  for (const kin of [
    ['version', 'versions', 'versioning'],
    ['migrate', 'migration', 'migrations', 'migrating'],
    ['retry', 'retries'],
    ['create', 'creates', 'creating', 'created'],
    ['role', 'roles'],
    ['key', 'keys'],
  ])
    expect([kin, new Set(kin.map(stemOf)).size]).toEqual([kin, 1])
  for (const word of ['access', 'this', 'plus']) expect(stemOf(word)).toBe(word)
  expect(meaningOf('Error codes')).toEqual(meaningOf('the code of an error'))
})

test('recognizes exactly one typo', () => {
  for (const typed of ['aler', 'alerts', 'alart', 'alret', 'lert', 'xalert', 'laert'])
    expect([typed, isTypingError(typed, 'alert')]).toEqual([typed, true])
  for (const typed of ['alert', 'ale', 'alarz', 'areet', 'trela'])
    expect([typed, isTypingError(typed, 'alert')]).toEqual([typed, false])
})

test('finds names of operations and errors in a sentence, and no dates or requirement ids', () => {
  expect(namesIn('What replaces createFtsIndex, and when is INVALID_STATE returned?')).toEqual([
    'createFtsIndex',
    'INVALID_STATE',
  ])
  expect(namesIn('issueToken.limited in 2024-08-05 of v1.0')).toEqual([])
})

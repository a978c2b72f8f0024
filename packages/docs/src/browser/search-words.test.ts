import { expect, test } from 'vitest'
import { formsOf, isTypingError, isWeak, meaningOf, stemOf, wordsIn } from './search-words.ts'

const wholes = (query: string) => wordsIn(query).map(({ whole }) => whole)

test('a question is what is left without its empty words, which count where there is nothing else', () => {
  expect(wholes('Which version should I use?')).toEqual(['version'])
  expect(wholes('how to do it')).toEqual(['how', 'to', 'do', 'it'])
  expect(wordsIn('alertConfig')).toEqual([{ whole: 'alertconfig', parts: ['alert', 'Config'] }])
})

test('who wants to get a thing may find what is called otherwise', () => {
  expect(wordsIn('get all tokens').filter(isWeak)).toMatchObject([{ whole: 'get' }, { whole: 'all' }])
})

test('what objects have by nature is no other word for anything', () => {
  for (const word of ['constructor', 'toString', '__proto__'])
    expect(
      wordsIn(word)
        .flatMap(formsOf)
        .every((form) => typeof form === 'string'),
    ).toBe(true)
})

test('words of one kin have a beginning in common', () => {
  for (const kin of [
    ['version', 'versions', 'versioning'],
    ['migrate', 'migration', 'migrations', 'migrating'],
    ['retry', 'retries'],
    ['create', 'creates', 'creating', 'created'],
    ['role', 'roles'],
  ])
    expect([kin, new Set(kin.map(stemOf)).size]).toEqual([kin, 1])
  expect(stemOf('access')).toBe('access')
  expect(meaningOf('Error codes')).toEqual(meaningOf('the code of an error'))
})

test('one typing error is a letter missing, added, wrong, or two swapped, and no more', () => {
  for (const typed of ['aler', 'alerts', 'alart', 'alret', 'lert', 'xalert', 'laert'])
    expect([typed, isTypingError(typed, 'alert')]).toEqual([typed, true])
  for (const typed of ['alert', 'ale', 'alarz', 'areet', 'trela'])
    expect([typed, isTypingError(typed, 'alert')]).toEqual([typed, false])
})

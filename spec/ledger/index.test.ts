import { expect, test } from 'vitest'
import { citation } from './accounts.ts'
import { readIndex } from './read.ts'

const index = readIndex()
const sections = ['1', ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13].map((part) => `2.${part}`), '3']
const later = [...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((part) => `4.${part}`), '5', '6', '7', '8', '9']

test.each([...sections, ...later])('section %s of the source is in the index', (section) => {
  expect(index.some(({ key }) => citation(section, key))).toBe(true)
})

test('every key starts with a section or a decision', () => {
  const form = /^([\d.]+|decided: [A-Z][a-z, ]+[a-z])(\/[\w.,-]+)+$/
  expect(index.map(({ key }) => key).filter((key) => !form.test(key))).toEqual([])
})

test('every entry has a fact or a reason for its exclusion', () => {
  expect(index.filter(({ facts, excluded }) => !facts?.length && !excluded).map(({ key }) => key)).toEqual([])
})

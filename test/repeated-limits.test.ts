import { expect, test } from 'vitest'
import { limitsIn, repeatedLimits } from '../scripts/check-limits.ts'

const limits = limitsIn(`
pagesPerBook: { minimum: 1, maximum: 300, strength: stated }
body: { bytes: 1048576 }
`)
const found = (line: string) => repeatedLimits('a.ts', line, limits)

test('finds a repeated limit, and the first value beyond it', () => {
  expect(found("query: '?pagesPerBook=301'")).toEqual(['a.ts:1: repeats the limit pagesPerBook: 301'])
  expect(found('const pagesPerBook = 3_00')).toHaveLength(1)
  expect(found('pagesPerBook must be at most 300')).toHaveLength(1)
})

test('ignores other numbers, small values and names that are ordinary words', () => {
  expect(found('pagesPerBook=25')).toEqual([])
  expect(found('pagesPerBook=1')).toEqual([])
  expect(found('port 300')).toEqual([])
  expect(found('a body of 1048576 bytes')).toEqual([])
  expect(found('pagesPerBook up to {facts/limits.yaml#/pagesPerBook/maximum}')).toEqual([])
})

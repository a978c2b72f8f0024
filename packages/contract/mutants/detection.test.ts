import { expect, test } from 'vitest'
import { detectionOf, isEnough } from './detection.ts'

const outcome = (id: string, hints: readonly string[], killed: boolean, unreached = false) => ({
  id,
  hints,
  killed,
  unreached,
  operator: 'some',
  by: [],
  expected: killed,
  kitErrors: [],
})

test('counts a mutant for every requirement that it breaks, unless it cannot change anything', () => {
  const outcomes = [
    outcome('one', ['a', 'b'], true),
    outcome('two', ['a'], false),
    outcome('timestamps not in UTC@listMatcherFieldNames@v1.0', ['c'], false, true),
  ]
  const made = detectionOf(outcomes, { seed: 7, startedAt: '2026-11-26T00:00:00Z' })
  expect(made).toMatchObject({ seed: 7, mutants: 2, found: 1, missed: ['two'] })
  expect(made.requirements).toEqual({ a: { mutants: 2, found: 1 }, b: { mutants: 1, found: 1 } })
})

test('a sample must find 97 of 100 mutants', () => {
  expect([96, 97].map((found) => isEnough({ mutants: 100, found }))).toEqual([false, true])
})

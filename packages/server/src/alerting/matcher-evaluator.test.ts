import { expect, it } from 'vitest'
import type { Matcher } from '../domain/matchers.ts'
import { createMatcherEvaluator } from './matcher-evaluator.ts'

const expression = (value: string): Matcher => ({ fieldName: 'PORT', operator: 'REGEX', value })
const equals = (value: string): Matcher => ({ fieldName: 'PORT', operator: 'EQUALS', value })

/**
 * Creates an evaluator whose clock advances by `takes` for each expression. Records the time limit of each expression.
 */
function judging(takes: number) {
  const given: number[] = []
  let now = 0
  const judgement = createMatcherEvaluator(
    { PORT: '1' },
    {
      time: () => now,
      matches: ({ operator }, _, patience) => {
        if (operator === 'REGEX') now += takes
        given.push(patience)
        return operator === 'REGEX'
      },
    },
  )
  return { judgement, given }
}

it('an event matches if all matchers match', async () => {
  const judgement = createMatcherEvaluator({ PORT: '1' })
  const sets = [[], [equals('1')], [equals('1'), expression('^2')], [expression('^1'), equals('2')]]
  for (const matchers of sets) await judgement.evaluate(matchers)
  expect(sets.map((matchers) => judgement.resultOf(matchers))).toEqual([true, true, false, false])
  expect(judgement.resultOf([equals('3')])).toBeUndefined()
})

it('equal matchers are evaluated once, and none after a mismatch', async () => {
  const { judgement, given } = judging(0)
  for (let count = 0; count < 3; count += 1)
    await judgement.evaluate([expression('^1'), equals('2'), equals('3')])
  expect(given.length).toBe(2)
})

it("expressions have little time once the event's time limit is used up", async () => {
  const { judgement, given } = judging(20)
  for (let count = 0; count < 60; count += 1) await judgement.evaluate([expression(`^${count}`)])
  expect(given).toEqual([...Array.from({ length: 50 }, () => 20), ...Array.from({ length: 10 }, () => 2)])
})

it('other work runs between expressions', async () => {
  const { judgement, given } = judging(0)
  const judged = judgement.evaluate(Array.from({ length: 50 }, (_, count) => expression(`^${count}`)))
  const turns: number[] = []
  let over = false
  void judged.then(() => {
    over = true
  })
  while (!over) {
    await new Promise((resolve) => setImmediate(resolve))
    turns.push(given.length)
  }
  expect(new Set(turns).size).toBeGreaterThan(20)
})

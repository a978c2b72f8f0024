import { expect, test } from 'vitest'
import { createRetryBudget } from './retry-budget.ts'

test('never exceeds its size', () => {
  const budget = createRetryBudget({ size: 2, ratio: 0.5 })
  for (let call = 0; call < 100; call++) budget.earn()
  expect([budget.spend(), budget.spend(), budget.spend()]).toEqual([true, true, false])
})

test('earns a fraction of a retry per call', () => {
  const budget = createRetryBudget({ size: 1, ratio: 0.5 })
  budget.spend()
  budget.earn()
  expect(budget.spend()).toBe(false)
  budget.earn()
  expect(budget.spend()).toBe(true)
})

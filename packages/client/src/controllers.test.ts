import { expect, test } from 'vitest'
import { borrowController, returnController } from './controllers.ts'

test('reuses a controller for up to 100 attempts', () => {
  const lease = borrowController()
  // The loop is needed because other tests in the same worker may already have used the controller.
  while (lease.uses < 99) {
    returnController(lease)
    expect(borrowController()).toBe(lease)
  }
  returnController(lease)
  expect(borrowController()).not.toBe(lease)
})

test('gives parallel attempts distinct controllers', () => {
  const leases = [borrowController(), borrowController()]
  for (const lease of leases) returnController(lease)
  expect(new Set([borrowController(), borrowController(), borrowController()]).size).toBe(3)
})

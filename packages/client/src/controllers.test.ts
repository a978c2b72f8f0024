import { expect, test } from 'vitest'
import { borrowController, returnController } from './controllers.ts'

test('a controller is used again, and after a hundred attempts left to the collector', () => {
  const lease = borrowController()
  // Other tests of the same worker may have used it.
  while (lease.uses < 99) {
    returnController(lease)
    expect(borrowController()).toBe(lease)
  }
  returnController(lease)
  expect(borrowController()).not.toBe(lease)
})

test('no two attempts have the same controller', () => {
  const leases = [borrowController(), borrowController()]
  for (const lease of leases) returnController(lease)
  expect(new Set([borrowController(), borrowController(), borrowController()]).size).toBe(3)
})

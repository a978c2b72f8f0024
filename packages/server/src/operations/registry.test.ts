import { operations } from '@svc-admin/types'
import { describe, expect, it } from 'vitest'
import { checked, loadOperations } from './registry.ts'
import { empty } from './response.ts'

const module = { id: 'getAlert' as const, handle: async () => empty }

describe('the operations that are served', () => {
  it('are exactly the operations of the specification', async () => {
    expect([...(await loadOperations()).keys()].sort()).toEqual(Object.keys(operations).sort())
  })

  it.each<[string, string[], string]>([
    ['getAlert', ['getAlert', 'listAlerts'], 'listAlerts has no file'],
    ['getAlert', [], 'getAlert is not in the specification'],
    ['getAlarm', ['getAlert'], 'getAlarm declares getAlert'],
  ])('are rejected at start if %s has a file and %j are specified', (file, expected, message) => {
    expect(() => checked([{ file, module }], expected)).toThrow(message)
  })
})

import { expect, test } from 'vitest'
import type { Phase } from '../check/rule.ts'
import type { Exchange } from '../http/exchange.ts'
import { loadApi } from '../model/api.ts'
import { buildCall } from '../model/call.ts'
import { createUnusedResources } from './unused-resources.ts'

const api = loadApi()

/** Runs checks one after another, and returns the resource that each of them used. */
const usedBy = async (
  checks: readonly { passed?: boolean; status?: number; method?: string }[],
  options = {},
) => {
  const { phase, operation } = { phase: 'refusal' as Phase, operation: 'deleteSnapshot', ...options }
  const cell = api.cells.find((one) => one.operation.id === operation) ?? expect.fail('no such operation')
  const one = { id: '', requirement: '', cell, variant: '', phase, check: async () => {} }
  const resources = createUnusedResources()
  const used: (string | undefined)[] = []
  let created = 0
  for (const { passed = true, status = 400, method = 'DELETE' } of checks) {
    const lease = resources.lease(one)
    const { id } = await lease.parameters(async () => {
      created += 1
      return { id: `resource ${created}` }
    })
    used.push(id)
    const exchange = { request: { method }, response: { status } } as Exchange
    lease.end(passed, [
      { call: buildCall(cell, { parameters: {}, body: undefined, as: expect.anything() }), exchange },
    ])
    await Promise.resolve()
  }
  return used
}

const [first, second] = ['resource 1', 'resource 2']

test.each([
  ['the target rejected the request', {}, first],
  ['the request only read the resource', { method: 'GET', status: 200 }, first],
  ['the target accepted the request', { status: 200 }, second],
  ['the check failed', { passed: false }, second],
])('after a check, if %s, the next check uses this resource: %s', async (_, check, next) => {
  expect(await usedBy([check, {}])).toEqual([first, next])
})

test('a resource is used again and again, but not by two checks at the same time', async () => {
  expect(await usedBy([{}, {}, {}])).toEqual([first, first, first])
  const cell = api.cells[0] ?? expect.fail('no operations')
  const one = { id: '', requirement: '', cell, variant: '', phase: 'refusal' as const, check: async () => {} }
  const resources = createUnusedResources()
  let created = 0
  const create = async () => {
    created += 1
    return {}
  }
  await resources.lease(one).parameters(create)
  await resources.lease(one).parameters(create)
  expect(created).toBe(2)
})

test('checks of other phases create their own resources', async () => {
  expect(await usedBy([{}, {}], { phase: 'write' })).toEqual([first, second])
})

test('a restore job is used only once, because it finishes on its own', async () => {
  expect(await usedBy([{}, {}], { operation: 'cancelRestoreJob' })).toEqual([first, second])
})

test('a resource that could not be created is not used again', async () => {
  const cell = api.cells[0] ?? expect.fail('no operations')
  const one = { id: '', requirement: '', cell, variant: '', phase: 'refusal' as const, check: async () => {} }
  const resources = createUnusedResources()
  const lease = resources.lease(one)
  await expect(lease.parameters(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  lease.end(true, [])
  await Promise.resolve()
  expect(await resources.lease(one).parameters(async () => ({ id: first }))).toEqual({ id: first })
})

import { loadDocument } from '@svc-admin/spec'
import { states, versions } from '@svc-admin/types'
import { expect, test } from 'vitest'
import { wireLifecycles } from './lifecycles.ts'
import { readModel } from './model.ts'

const models = versions.map(({ id, generation }) => readModel(id, generation, loadDocument(id)))
const found = wireLifecycles(models)

test('lists lifecycles whose state is in a field or follows from other fields', () => {
  const ids = found.map(({ id }) => id)
  expect(ids).toEqual(expect.arrayContaining(['snapshot', 'search-index', 'fts-index', 'live-migration']))
  const byId = new Map(found.flatMap(({ id, byFields }) => (byFields ? [[id, byFields]] : [])))
  expect(Object.fromEntries(byId)).toEqual({
    'restore-job': {
      flags: ['cancelled', 'failed', 'expired'],
      without: 'running',
      withField: 'finished',
    },
    'cloud-provider-access-role': { flags: [], without: 'CREATED', withField: 'AUTHORIZED' },
  })
})

const transitionsOf = (id: string): readonly string[] =>
  found.find((each) => each.id === id)?.transitions.map((pair) => pair.join()) ?? []

test('lists all states, and each transition that leads on once', () => {
  for (const { id, values, transitions } of found) {
    expect(values).toEqual(states[id].values)
    const printed = transitions.map((pair) => pair.join())
    expect(new Set(printed).size).toBe(printed.length)
    const all = states[id].transitions.map(({ from, to }) => `${from},${to}`)
    expect(all).toEqual(expect.arrayContaining(printed))
    // Every state must have a transition, because `waitFor` treats states without transitions as states from a newer
    // server.
    expect(new Set(transitions.flat())).toEqual(new Set(values))
  }
})

test('has no transition that restarts a finished process', () => {
  for (const id of ['search-index', 'fts-index']) {
    expect(transitionsOf(id).filter((pair) => pair.startsWith('FAILED'))).toEqual(['FAILED,DELETING'])
  }
  expect(transitionsOf('search-nodes')).toEqual(['UPDATING,IDLE'])
})

test('has transitions caused by other callers or by time', () => {
  expect(transitionsOf('live-migration')).toContain('WORKING,COMPLETE')
  expect(transitionsOf('outage-simulation')).toContain('SIMULATING,RECOVERY_REQUESTED')
  expect(transitionsOf('compliance-policy')).toContain('UPDATING,ACTIVE')
})

test('has no transition to the deletion of the resource', () => {
  expect(found.flatMap(({ id }) => transitionsOf(id)).filter((pair) => pair.endsWith(',gone'))).toEqual([])
})

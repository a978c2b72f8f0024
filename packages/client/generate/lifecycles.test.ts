import { loadDocument } from '@svc-admin/spec'
import { states, versions } from '@svc-admin/types'
import { expect, test } from 'vitest'
import { wireLifecycles } from './lifecycles.ts'
import { readModel } from './model.ts'

const models = versions.map(({ id, generation }) => readModel(id, generation, loadDocument(id)))
const found = wireLifecycles(models)

test('a lifecycle is there where a field holds its state, or members tell it', () => {
  const ids = found.map(({ id }) => id)
  expect(ids).toEqual(expect.arrayContaining(['snapshot', 'search-index', 'fts-index', 'live-migration']))
  const told = new Map(found.flatMap(({ id, byFields }) => (byFields ? [[id, byFields]] : [])))
  expect(Object.fromEntries(told)).toEqual({
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

test('each has the states that the specification says, and the ways between them that lead on, each way once', () => {
  for (const { id, values, transitions } of found) {
    expect(values).toEqual(states[id].values)
    const printed = transitions.map((pair) => pair.join())
    expect(new Set(printed).size).toBe(printed.length)
    const all = states[id].transitions.map(({ from, to }) => `${from},${to}`)
    expect(all).toEqual(expect.arrayContaining(printed))
    // A state without any transition would count as one of a later server.
    expect(new Set(transitions.flat())).toEqual(new Set(values))
  }
})

test('who waits for the end of a thing does not wait for somebody to do it again', () => {
  for (const id of ['search-index', 'fts-index']) {
    expect(transitionsOf(id).filter((pair) => pair.startsWith('FAILED'))).toEqual(['FAILED,DELETING'])
  }
  expect(transitionsOf('search-nodes')).toEqual(['UPDATING,IDLE'])
})

test('what others do in the middle of it, and what comes by itself, leads on', () => {
  expect(transitionsOf('live-migration')).toContain('WORKING,COMPLETE')
  expect(transitionsOf('outage-simulation')).toContain('SIMULATING,RECOVERY_REQUESTED')
  expect(transitionsOf('compliance-policy')).toContain('UPDATING,ACTIVE')
})

test('nothing leads to the end of the resource: there is no state to wait for', () => {
  expect(found.flatMap(({ id }) => transitionsOf(id)).filter((pair) => pair.endsWith(',gone'))).toEqual([])
})

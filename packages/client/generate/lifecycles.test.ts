import { loadDocument } from '@svc-admin/spec'
import { states, versions } from '@svc-admin/types'
import { expect, test } from 'vitest'
import { wireLifecycles } from './lifecycles.ts'
import { readModel } from './model.ts'

const models = versions.map(({ id, generation }) => readModel(id, generation, loadDocument(id)))
const found = wireLifecycles(models)

test('a lifecycle is there where a field holds its state, and only there', () => {
  const ids = found.map(({ id }) => id)
  expect(ids).toEqual(expect.arrayContaining(['snapshot', 'search-index', 'fts-index', 'live-migration']))
  // Whether a restore job is finished follows from `finishedAt`, which is a time.
  expect(ids).not.toContain('restore-job')
  expect(ids).not.toContain('cloud-provider-access-role')
})

test('each has the states and the ways between them that the specification says, each way once', () => {
  for (const { id, values, transitions } of found) {
    expect(values).toEqual(states[id].values)
    const printed = transitions.map((pair) => pair.join())
    expect(new Set(printed).size).toBe(printed.length)
    expect(new Set(printed)).toEqual(new Set(states[id].transitions.map(({ from, to }) => `${from},${to}`)))
  }
})

import { expect, test } from 'vitest'
import type { Json } from '../document/json.ts'
import { loadApi } from '../model/api.ts'
import {
  changedForever,
  differentFields,
  missingFields,
  normalized,
  unequalFields,
} from './resource-state.ts'

const comparedAt = (operation: 'takeSnapshot' | 'toggleAlertConfig', sent: readonly string[] = []) => {
  const cell = loadApi().cell(operation, '2025-03-12') ?? expect.fail('no such cell')
  const schema = operation === 'takeSnapshot' ? 'ReplicaSetSnapshot' : 'AlertConfig'
  return { cell, schema: `/components/schemas/${schema}`, sent: new Set(sent) }
}

const snapshot = { id: 'a', status: 'queued', description: 'mine', createdAt: '2026-01-01T00:00:00Z' }

const different = (later: Json, earlier: Json = snapshot): string[] =>
  differentFields(comparedAt('takeSnapshot', ['description']), earlier, later).map(({ name }) => name)

test('names the documented fields that differ, and which of them the response lacks', () => {
  const config = { id: 'a', enabled: true, links: [1], vendor: 1 }
  const compared = comparedAt('toggleAlertConfig')
  expect(differentFields(compared, config, { ...config, links: [], vendor: 2 })).toEqual([])
  expect(differentFields(compared, config, { ...config, enabled: false, groupId: 'b' })).toEqual([
    { name: 'enabled', strength: 'stated' },
    { name: 'groupId', strength: 'decided' },
  ])
})

test('the same time in another spelling is no difference', () => {
  expect(different({ ...snapshot, createdAt: '2026-01-01T00:00:00.000+00:00' })).toEqual([])
  expect(different({ ...snapshot, createdAt: '2026-01-01T00:00:01Z' })).toEqual(['createdAt'])
})

test("the order of an array's items does not matter, unless the array is a field", () => {
  const [one, other] = [{ name: 'a', tokenFilters: [1, 2] }, { name: 'b' }]
  expect(different([other, one], [one, other])).toEqual([])
  expect(different([one, one], [one, other])).toEqual([''])
  expect(different([{ ...one, tokenFilters: [2, 1] }, other], [one, other])).toEqual([''])
})

test('in another state, only fields that do not depend on the state must be the same', () => {
  expect(different({ ...snapshot, status: 'inProgress', storageSizeBytes: 7 })).toEqual([])
  expect(different({ ...snapshot, status: 'completed', description: 'other', id: 'b' })).toEqual([
    'description',
    'id',
  ])
  expect(different({ ...snapshot, storageSizeBytes: 7 })).toEqual(['storageSizeBytes'])
})

test('a state must be reachable, but may be unknown to the kit', () => {
  expect(different({ ...snapshot, status: 'queued' }, { ...snapshot, status: 'completed' })).toEqual([
    'status',
  ])
  expect(different({ ...snapshot, status: 'inProgress' }, { ...snapshot, status: 'completed' })).toEqual([
    'status',
  ])
  expect(different({ ...snapshot, status: 'ready' }, { ...snapshot, status: 'creating' })).toEqual([])
  expect(different({ ...snapshot, status: 'queued' }, { ...snapshot, status: 'creating' })).toEqual([
    'status',
  ])
})

test('a response must contain the listed fields that the resource certainly has', () => {
  const compared = comparedAt('takeSnapshot', ['description', 'copyRegions'])
  const after = { ...snapshot, status: 'queued', copyRegions: [], storageSizeBytes: 7, frequencyType: 'x' }
  const missing = (response: Json, before?: Json) => missingFields(compared, response, { before, after })
  expect(missing({ id: 'a', status: 'queued' })).toEqual(['createdAt', 'description'])
  expect(missing({ ...snapshot, status: 'queued' })).toEqual([])
  expect(missing(snapshot, { storageSizeBytes: 7 })).toEqual(['storageSizeBytes'])
  const config = comparedAt('toggleAlertConfig')
  expect(missingFields(config, {}, { before: undefined, after: { updated: 'x' } })).toEqual([])
  const before = { updated: 'w' }
  expect(missingFields(config, {}, { before, after: { updated: 'x' } })).toEqual(['updated'])
})

test('identifiers and creation times last', () => {
  const compared = comparedAt('takeSnapshot')
  expect(changedForever(compared, snapshot, { ...snapshot, status: 'failed', description: 'x' })).toEqual([])
  expect(
    changedForever(compared, snapshot, { ...snapshot, id: 'b', createdAt: '2026-01-02T00:00:00Z' }),
  ).toEqual(['createdAt', 'id'])
})

test('other fields last only if they are named', () => {
  const compared = comparedAt('takeSnapshot')
  const later = { ...snapshot, status: 'completed', description: '' }
  expect(changedForever(compared, snapshot, later)).toEqual([])
  expect(changedForever(compared, snapshot, later, new Set(['description']))).toEqual(['description'])
})

test('a resource is unchanged if all documented fields are the same', () => {
  const compared = comparedAt('takeSnapshot')
  expect(unequalFields(compared, snapshot, { ...snapshot, vendor: 1 })).toEqual([])
  expect(unequalFields(compared, snapshot, { ...snapshot, description: 'other' })).toEqual(['description'])
})

test('documents in texts are equal however they are laid out', () => {
  expect(normalized('{ "a": [1] }')).toEqual(normalized('{"a":[1]}'))
  expect(normalized('{ a')).toBe('{ a')
  expect(normalized(['x', { at: '2026-01-01T00:00:00.0Z' }])).toEqual(
    normalized(['x', { at: '2026-01-01T00:00:00Z' }]),
  )
})

test('undocumented fields in the items of an array are ignored', () => {
  expect(different([{ name: 'a', servedBy: 2 }], [{ name: 'a', servedBy: 1 }])).toEqual([])
})

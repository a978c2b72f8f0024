import { expect, test } from 'vitest'
import { dated } from '../../test/context-over.ts'
import type { Json } from '../document/json.ts'
import { expectSameAsEarlier, expectSameComponents } from './earlier-response.ts'

const response = (body: Json) => ({
  body,
  exchange: {
    url: '',
    request: { method: 'GET', path: '/', headers: [] },
    response: { status: 200, reason: '', headers: [], body: JSON.stringify(body) },
    milliseconds: 0,
  },
})

test('names the earlier response in the text', () => {
  const compare = (actual: Json, value: Json) =>
    expectSameAsEarlier(response(actual).exchange, actual, { operation: 'createSearchIndex', value })
  compare({ name: 'default', vendor: 1 }, { name: 'default' })
  expect(() => compare({ name: 'default', type: 'search' }, { name: 'default' })).toThrow(
    expect.objectContaining({
      breach: expect.objectContaining({
        headline: '`type` is in the later response, but not in the earlier response to createSearchIndex',
        expected: 'the values of the earlier response to createSearchIndex, {"name":"default"}',
        actual: '{"name":"default","type":"search"}',
      }),
    }),
  )
})

test('warns if only the later response has components, unless the state has changed', () => {
  const cell = dated('createExportJob')
  const job = (state: string, ...shards: string[]): Json => ({
    id: 'a',
    state,
    ...(shards.length > 0 && { components: shards.map((replicaSetName) => ({ replicaSetName })) }),
  })
  const compare = (created: Json, found: Json) =>
    expectSameComponents(cell, response(created), response(found))
  compare(job('Queued', 'a', 'b'), job('Queued', 'a', 'b'))
  compare(job('Queued'), job('InProgress', 'a', 'b'))
  expect(() => compare(job('Queued'), job('Queued', 'a', 'b'))).toThrow(
    expect.objectContaining({ breach: expect.objectContaining({ strength: 'decided' }) }),
  )
})

import { describe, expect, test } from 'vitest'
import { groupId, path, rejection, response, setup } from '../test/setup.ts'
import { ParseError } from './errors.ts'

const cluster = { groupId, clusterName: 'a' }

describe('a body of the wrong type is a ParseError that names the expected type', () => {
  test.each([
    ['null', null],
    ['array', []],
    ['string', 'x'],
    ['number', 1],
    ['boolean', true],
    ['error', { error: 404, errorCode: 'RESOURCE_NOT_FOUND' }],
  ])('for a resource: %s', async (type, body) => {
    const { client } = setup(() => response(body))
    const error = await rejection(client.getAlert(path))
    expect(error).toBeInstanceOf(ParseError)
    expect(String(error)).toMatch(new RegExp(`: expected an object, but was ${type}$`))
  })

  test.each([
    ['undefined', {}],
    ['undefined', null],
    ['undefined', 'x'],
    ['null', { results: null }],
    ['object', { results: {} }],
    ['string', { results: 'x' }],
    ['error', { error: 404, results: [] }],
  ])('for results: %s of %j', async (type, body) => {
    const { client } = setup(() => response(body))
    const expected = new RegExp(`: expected results to be an array, but was ${type}`)
    const calls = [
      client.listAlerts({ groupId }),
      client.listAlerts({ groupId }).withResponse(),
      client.listAlerts({ groupId }).result(),
      client.listAlerts.toArray({ groupId }),
      client.listAlerts.items({ groupId }).next(),
      client.listAlerts.pages({ groupId }).next(),
      client.listShardedClusterSnapshots(cluster),
    ]
    for (const call of calls) {
      const error = await rejection(call)
      expect(error).toBeInstanceOf(ParseError)
      expect(String(error)).toMatch(expected)
    }
  })

  test.each([
    ['object', {}],
    ['null', null],
    ['object', { results: [] }],
    ['string', 'x'],
  ])('for an array: %s', async (type, body) => {
    const error = await rejection(setup(() => response(body)).client.listMatcherFieldNames())
    expect(error).toBeInstanceOf(ParseError)
    expect(String(error)).toMatch(new RegExp(`: expected an array, but was ${type}$`))
  })

  test.each([null, [], 'x'])('in an envelope: %j', async (content) => {
    const { client } = setup(() => response({ status: 200, content }))
    const error = await rejection(client.getAlert({ ...path, envelope: true }))
    expect(String(error)).toContain('expected an object')
  })
})

test('a paginated list is its own envelope, with and without links', async () => {
  for (const links of [undefined, []]) {
    const page = { status: 200, results: [{ id: 'a' }], ...(links && { links }) }
    const { client } = setup(() => response(page))
    expect(await client.listAlerts({ groupId, envelope: true })).toEqual(page)
    expect(await client.listAlerts.toArray({ groupId, envelope: true })).toEqual([{ id: 'a' }])
  }
})

test.each([null, {}, 'x', [null], [{ rel: 'next' }]])(
  'links of the wrong type end no loop with a TypeError: %j',
  async (links) => {
    const { client } = setup(() => response({ results: [{ id: 'a' }], links }))
    expect(await client.listAlerts.toArray({ groupId })).toEqual([{ id: 'a' }])
  },
)

test('reports an empty body as no body', async () => {
  const { client } = setup(() => new Response(null, { status: 204 }))
  expect(String(await rejection(client.getAlert(path)))).toBe(
    'ParseError: getAlert: 204 without content-type: no body, expected JSON',
  )
})

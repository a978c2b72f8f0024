import { describe, expect, test } from 'vitest'
import { allOperations } from '#tables/all-operations'
import { versions } from '#tables/versions'
import { groupId, path, rejection, response, setup } from '../test/setup.ts'
import { createClient } from './create-client.ts'
import { findVersion, resolveVersion } from './version.ts'

const row = { id: 'x', versions: ['v1.0', '2023-01-01', '2024-05-30'] }

describe('the version of a client', () => {
  test.each([
    ['v1.0', 'v1.0'],
    ['2023-01-01', '2023-01-01'],
    ['2024-05-29', '2023-01-01'],
    ['2024-05-30', '2024-05-30'],
    ['2099-12-31', '2024-05-30'],
    ['2022-12-31', undefined],
    ['v3', undefined],
    ['2025', undefined],
    ['20250312', undefined],
    ['2025-03-12T00:00:00Z', undefined],
    ['2025-02-30', undefined],
    ['2025-13-01', undefined],
    ['2025-00-10', undefined],
    ['2023-02-29', undefined],
    ['2024-02-29', '2023-01-01'],
  ])('%s resolves to the newest version that is not later: %s', (pin, version) => {
    expect(findVersion(row, pin)).toBe(version)
  })

  test('never resolves to the other generation', () => {
    expect(findVersion({ ...row, versions: ['2024-05-30'] }, 'v1.0')).toBeUndefined()
    expect(findVersion({ ...row, versions: ['v1.0'] }, '2024-05-30')).toBeUndefined()
  })

  test('is rejected with a list of versions if the operation does not exist in it', () => {
    expect(() => resolveVersion(row, '2022-01-01')).toThrow(
      'x does not exist in version 2022-01-01: expected v1.0, 2023-01-01, 2024-05-30 or later',
    )
  })

  test.each(['2022-01-01', '2025', 'latest', '', '2025-02-30', '2025-13-01', '2023-02-29'])(
    'is rejected if it is invalid: %j',
    (pin) => {
      const { client } = setup(() => response({}))
      const expected = `the API does not exist in version ${pin}: expected ${Object.keys(versions).join(', ')} or`
      const at: unknown = Reflect.get(client, 'at')
      expect(() => typeof at === 'function' && at(pin)).toThrow(expected)
      expect(() => typeof at === 'function' && at(undefined)).toThrow('in version undefined')
    },
  )
})

describe('the version of a call', () => {
  const versioned = () =>
    setup(({ headers }) => response({}, {}, /\d{4}-\d\d-\d\d/.exec(headers.get('accept') ?? '')?.[0]))

  test('is sent in Accept and Content-Type', async () => {
    const { client, requests } = versioned()
    await client.acknowledgeAlert({ ...path, body: { unacknowledgeAlert: true } })
    const media = 'application/vnd.svc.2024-05-30+json'
    expect(requests[0]?.headers.get('accept')).toBe(media)
    expect(requests[0]?.headers.get('content-type')).toBe(media)
    expect(requests[0]?.url.pathname).toMatch(/^\/api\/svc\/v2\//)
  })

  test('overrides the version of the client', async () => {
    const { client, requests } = versioned()
    await client.acknowledgeAlert({ ...path, body: {} }, { version: '2023-01-01' })
    await client.at('2023-01-01').acknowledgeAlert({ ...path, body: {} })
    for (const { headers } of requests)
      expect(headers.get('accept')).toBe('application/vnd.svc.2023-01-01+json')
  })

  test('is returned with the response', async () => {
    const { client } = versioned()
    expect((await client.acknowledgeAlert({ ...path, body: {} }).withResponse()).version).toBe('2024-05-30')
  })

  test('is plain JSON under the v1.0 prefix in the first generation', async () => {
    const { settings, requests } = setup(() => Response.json({ results: [] }))
    const client = createClient({ ...settings, version: 'v1.0' })
    const outcome = await client.listAlerts({ groupId }).withResponse()
    expect(requests[0]?.url.pathname).toBe(`/api/svc/v1.0/groups/${groupId}/alerts`)
    expect(requests[0]?.headers.get('accept')).toBe('application/json')
    expect(outcome.version).toBeUndefined()
  })

  test('is rejected before a request is sent if it is invalid', async () => {
    const { client, requests } = versioned()
    const options: object = { version: '2022-01-01' }
    expect(await rejection(client.getAlert(path, options))).toBeInstanceOf(TypeError)
    expect(requests).toHaveLength(0)
  })
})

test('the table of versions has the versions of all operations', () => {
  for (const version of new Set(allOperations.flatMap(({ versions: owned }) => owned))) {
    expect(versions[version]).toEqual([expect.any(String), expect.any(String)])
  }
})

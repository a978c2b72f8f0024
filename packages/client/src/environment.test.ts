import { afterEach, describe, expect, test, vi } from 'vitest'
import { baseUrl, groupId, path, rejection, response, setup } from '../test/setup.ts'
import { createClient, createPartialClient } from './create-client.ts'
import { createFetch } from './create-fetch.ts'
import { fromEnv, withDefaults } from './environment.ts'
import { getAlert } from './operations.ts'
import { createStubFetch, refused } from './testing/index.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('fromEnv', () => {
  const key = { SVC_PUBLIC_KEY: 'abcdefgh', SVC_PRIVATE_KEY: 'b2c7' }
  const account = { SVC_CLIENT_ID: 'id', SVC_CLIENT_SECRET: 'secret' }

  test('reads the variables of the process', () => {
    for (const [name, value] of Object.entries({ SVC_BASE_URL: baseUrl, ...key })) vi.stubEnv(name, value)
    const credentials = { publicKey: 'abcdefgh', privateKey: 'b2c7' }
    expect(fromEnv()).toEqual({ baseUrl, credentials })
    const client = createClient({ ...fromEnv(), version: '2024-05-30' })
    expect(client.version).toBe('2024-05-30')
  })

  test.each([
    ['an API key', key, { publicKey: 'abcdefgh', privateKey: 'b2c7' }],
    ['a service account before a key', { ...key, ...account }, { clientId: 'id', clientSecret: 'secret' }],
    ['a token before the others', { ...key, ...account, SVC_TOKEN: ' t\n' }, { accessToken: 't' }],
  ])('reads %s', (_, variables, credentials) => {
    expect(fromEnv({ SVC_BASE_URL: baseUrl, ...variables })).toEqual({ baseUrl, credentials })
  })

  test.each([
    ['SVC_BASE_URL is not set in the environment', key],
    ['SVC_PRIVATE_KEY is not set in the environment', { SVC_BASE_URL: baseUrl, SVC_PUBLIC_KEY: 'a' }],
    [
      'SVC_CLIENT_ID is not set in the environment',
      { SVC_BASE_URL: baseUrl, SVC_CLIENT_SECRET: 'a', ...key },
    ],
    ['no credentials in the environment: expected SVC_PUBLIC_KEY and', { SVC_BASE_URL: baseUrl }],
  ])('throws %s', (message, variables) => {
    expect(() => fromEnv(variables)).toThrow(TypeError)
    expect(() => fromEnv(variables)).toThrow(message)
  })

  test('has no variables on a platform without them', () => {
    vi.stubGlobal('process', undefined)
    expect(() => fromEnv()).toThrow('SVC_BASE_URL is not set')
  })
})

describe('the User-Agent', () => {
  const agentOf = async (headers?: Record<string, string>) => {
    const { client, requests } = setup(() => response({}), { ...(headers && { headers }) })
    await client.getAlert(path)
    return requests[0]?.headers.get('user-agent')
  }
  test.each([
    ['Node', { node: '24.1.0' }, undefined, 'node/24.1.0'],
    ['Deno', { node: '24.0.0', deno: '2.9.6' }, 'Deno/2.9.6', 'deno/2.9.6'],
    ['Bun', { node: '24.0.0', bun: '1.4.5' }, 'Bun/1.4.5', 'bun/1.4.5'],
    ['workerd', undefined, 'Cloudflare-Workers', 'workerd'],
  ])('names package and runtime on %s', async (_, versions, userAgent, runtime) => {
    vi.stubGlobal('process', versions && { versions, env: {} })
    vi.stubGlobal('navigator', userAgent && { userAgent })
    expect(await agentOf()).toMatch(/^svc-admin-client\/\d+\.\d+\.\d+ /)
    expect(await agentOf()).toContain(` ${runtime}`)
  })

  test('is not sent from browsers, whose requests it would turn into preflights', async () => {
    vi.stubGlobal('process', undefined)
    vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0' })
    expect(await agentOf()).toBeNull()
  })

  test('can be replaced', async () => {
    expect(await agentOf({ 'User-Agent': 'orders/1' })).toBe('orders/1')
  })
})

describe('SVC_ADMIN_LOG', () => {
  const failing = () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const made = setup(refused('RESOURCE_NOT_FOUND'), { credentials: { accessToken: 'secret' } })
    return { warn, ...made }
  }

  test('set to debug logs each attempt in one line, without secrets', async () => {
    vi.stubEnv('SVC_ADMIN_LOG', 'debug')
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const { client } = setup(() => response({}), { credentials: { accessToken: 'secret' } })
    await client.getAlert(path)
    expect(warn.mock.calls).toHaveLength(1)
    const [[line]] = warn.mock.calls as [[string]]
    expect(line).toMatch(/^svc-admin response \{"operationId":"getAlert",.*"attempt":1,.*"status":200/)
    expect(line).not.toContain('secret')
  })

  test('works for createFetch', async () => {
    vi.stubEnv('SVC_ADMIN_LOG', 'debug')
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const { fetch } = createStubFetch(() => response({ results: [] }))
    await createFetch({ baseUrl, version: '2024-05-30', fetch })(
      `${baseUrl}/api/svc/v2/groups/${groupId}/alerts`,
    )
    expect(warn.mock.calls).toEqual([[expect.stringContaining('"operationId":"listAlerts"')]])
  })

  test('works for a partial client with withDefaults, like User-Agent and a failing observer', async () => {
    vi.stubEnv('SVC_ADMIN_LOG', 'debug')
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const { fetch, requests } = createStubFetch(() => response({ id: 'a' }))
    const observer = () => {
      throw new Error('broken')
    }
    const operations = { getAlert }
    const settings = { baseUrl, version: '2024-05-30', fetch, observer, operations } as const
    const client = createPartialClient(withDefaults(settings))
    const alert = await client.getAlert(path)
    const older = await client.at('2023-01-01').getAlert(path)
    expect([alert.id, older.id, client.at('2023-01-01').version]).toEqual(['a', 'a', '2023-01-01'])
    expect(requests[0]?.headers.get('user-agent')).toMatch(/^svc-admin-client/)
    expect(warn.mock.calls.flat()).toContain('callback failed: Error: broken')
    expect(warn.mock.calls.flat().join()).toContain('"user-agent":"svc-admin-client/')
    // @ts-expect-error not one of the selected operations
    expect(client.listAlerts).toBeUndefined()
  })

  test('set to warn logs failures alone', async () => {
    vi.stubEnv('SVC_ADMIN_LOG', 'warn')
    const { client, warn } = failing()
    await rejection(client.getAlert(path))
    expect(warn.mock.calls).toEqual([[expect.stringContaining('"status":404')]])
    const ok = setup(() => response({}))
    await ok.client.getAlert(path)
    expect(warn).toHaveBeenCalledTimes(1)
  })

  test.each(['', 'off'])('set to "%s" logs nothing', async (level) => {
    vi.stubEnv('SVC_ADMIN_LOG', level)
    const { client, warn } = failing()
    await rejection(client.getAlert(path))
    expect(warn).not.toHaveBeenCalled()
  })

  test('is not read on Deno without the permission to read it', async () => {
    vi.stubEnv('SVC_ADMIN_LOG', 'debug')
    vi.stubGlobal('Deno', { permissions: { querySync: () => ({ state: 'prompt' }) } })
    const { client, warn } = failing()
    await rejection(client.getAlert(path))
    expect(warn).not.toHaveBeenCalled()
  })
})

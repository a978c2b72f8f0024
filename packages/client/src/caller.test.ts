import { expect, test } from 'vitest'
import { groupId, path, rejection, response, setup } from '../test/setup.ts'
import { createFetch } from './create-fetch.ts'
import {
  brokenBody,
  connectionReset,
  crashed,
  hanging,
  htmlPage,
  type Responder,
  rateLimited,
} from './testing/index.ts'

const retry = { maxRetries: 0 }
const timeoutMs = 10
const missing: Responder = () => Response.json({ errorCode: 'RESOURCE_NOT_FOUND' }, { status: 404 })

const clientFor = (respond: Responder) => {
  const { clock: _, ...settings } = setup(respond).settings
  return setup(respond, { ...settings, clock: undefined, retry, timeoutMs }).client
}

/** Returns the first line of the stack that belongs neither to the library nor to the runtime. */
function firstOwnFrame(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? []
  return frames.find((line) => !/packages\/client\/src\/(?!caller\.test)|node:|<anonymous>/.test(line))
}

test.each<[string, Responder]>([
  ['an error of the API', missing],
  ['a failed connection', connectionReset()],
  ['a timeout', hanging()],
  ['a broken body', brokenBody()],
  ['an unreadable response', htmlPage()],
  ['a rate limit', rateLimited(100)],
  ['a failed server', crashed()],
])('%s shows the line of the call', async (_, respond) => {
  const client = clientFor(respond)
  const caller = async (): Promise<void> => {
    await client.getAlert(path)
  }
  expect(firstOwnFrame(await rejection(caller()))).toMatch(/at (?:async )?caller .*caller\.test\.ts:\d+/)
})

test.each<[string, (client: ReturnType<typeof clientFor>) => PromiseLike<unknown>]>([
  ['withResponse()', (client) => client.getAlert(path).withResponse()],
  ['result()', async (client) => Promise.reject((await client.getAlert(path).result()).error)],
  ['toArray()', (client) => client.listAlerts.toArray({ groupId })],
  ['items()', (client) => client.listAlerts.items({ groupId }).next()],
  ['pages()', (client) => client.listAlerts.pages({ groupId }).next()],
  ['Promise.all', (client) => Promise.all([client.getAlert(path), client.listMatcherFieldNames()])],
  ['waitFor', (client) => client.waitFor('alert', () => client.getAlert(path), { until: 'CLOSED' })],
])('%s shows the line of the call', async (_, call) => {
  const client = clientFor(missing)
  const caller = async (): Promise<void> => {
    await call(client)
  }
  const { stack = '' } = await rejection(caller())
  expect(stack).toMatch(/^NotFoundError: \w+: 404 RESOURCE_NOT_FOUND/)
  expect(stack).toMatch(/at (?:async )?caller .*caller\.test\.ts:\d+/)
})

test('a loop shows its line on any page', async () => {
  const client = clientFor((request) =>
    request.number === 1 ? response({ results: Array.from({ length: 100 }, () => ({})) }) : missing(request),
  )
  const caller = async (): Promise<void> => {
    for await (const { links } of client.listAlerts.items({ groupId })) expect(links).toBeUndefined()
  }
  const error = await rejection(caller())
  expect(error).toMatchObject({ pageNum: 2 })
  expect(error.stack).toMatch(/\(page 2\)\n/)
  expect(firstOwnFrame(error)).toMatch(/at (?:async )?caller .*caller\.test\.ts:\d+/)
})

test('an invalid argument shows the line of the loop', async () => {
  const client = clientFor(missing)
  const caller = async (): Promise<void> => {
    for await (const { id } of client.listAlerts.items({ groupId: '' })) expect(id).toBeDefined()
  }
  expect(firstOwnFrame(await rejection(caller()))).toMatch(/at caller .*caller\.test\.ts:\d+/)
})

test('a header that cannot be sent shows the line of the call', async () => {
  const client = setup(() => new TypeError('fetch failed')).client
  const caller = async (): Promise<void> => {
    await client.getAlert(path, { headers: { 'x-name': '\u2028' } })
  }
  expect(firstOwnFrame(await rejection(caller()))).toMatch(/at (?:async )?caller .*caller\.test\.ts:\d+/)
})

test('createFetch shows the line of the call', async () => {
  const { settings } = setup(connectionReset(), { retry })
  const send = createFetch({ ...settings, version: '2024-05-30' })
  const caller = async (): Promise<void> => {
    await send(`${settings.baseUrl}/api/svc/v2/groups/${groupId}/alerts`)
  }
  expect(firstOwnFrame(await rejection(caller()))).toMatch(/at (?:async )?caller .*caller\.test\.ts:\d+/)
})

test('calls that share a failed token request show their own lines', async () => {
  const credentials = { clientId: 'id', clientSecret: 'secret' }
  const { client } = setup(connectionReset(), { credentials, retry })
  const first = async (): Promise<void> => {
    await client.getAlert(path)
  }
  const second = async (): Promise<void> => {
    await client.listAlerts({ groupId })
  }
  const [one, other] = await Promise.all([rejection(first()), rejection(second())])
  expect([one, other]).toMatchObject([{ operationId: 'issueToken' }, { operationId: 'issueToken' }])
  expect(firstOwnFrame(one)).toMatch(/at (?:async )?first /)
  expect(firstOwnFrame(other)).toMatch(/at (?:async )?second /)
})

test('an error of a middleware keeps its stack', async () => {
  const mine = new Error('mine')
  const { stack } = mine
  const { client } = setup(() => response({}), { middleware: [() => Promise.reject(mine)] })
  expect(await rejection(client.getAlert(path))).toBe(mine)
  expect(mine.stack).toBe(stack)
})

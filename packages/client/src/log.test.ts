import { expect, test, vi } from 'vitest'
import { createDigestServer, key } from '../test/digest-server.ts'
import { groupId, rejection, response, setup } from '../test/setup.ts'
import { createLog, type LogFields, type LogOptions } from './log.ts'
import { connectionReset, type Responder, rateLimited, refused, withFaults } from './testing/index.ts'

function logged(respond: Responder, options: Partial<LogOptions> = {}) {
  const lines: [level: string, fields: LogFields][] = []
  const logger = {
    debug: (_: string, fields: LogFields) => lines.push(['debug', fields]),
    warn: (_: string, fields: LogFields) => lines.push(['warn', fields]),
  }
  const middleware = [createLog({ logger, ...options })]
  return { lines, ...setup(respond, { middleware, credentials: key }) }
}

const server = () =>
  createDigestServer(() => response({ results: [] }, { 'x-request-id': 'req-1', 'x-invented': 'hush' }))
    .respond
const body = {
  eventTypeName: 'OUTSIDE_METRIC_THRESHOLD',
  notifications: [
    { typeName: 'WEBHOOK', webhookUrl: 'https://hooks.example/1', webhookSecret: 'hush' } as const,
  ],
}

test('logs nothing by default', async () => {
  const printed: unknown[] = []
  const methods = Object.keys(console).filter((name) => typeof Reflect.get(console, name) === 'function')
  const spies = methods.map((name) =>
    vi.spyOn(console, name as 'log').mockImplementation((...words) => {
      printed.push([name, ...words])
    }),
  )
  try {
    const respond = withFaults([rateLimited(1), connectionReset()], server())
    const { client, clock } = setup(respond, { credentials: key })
    await clock.settle(client.listAlerts({ groupId }))
    const failing = setup(() => new Response('{}', { status: 404 }))
    await rejection(failing.client.listAlerts({ groupId }))
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
  expect(printed).toEqual([])
})

test('logs one line per attempt, with values of allowed names only', async () => {
  const { client, clock, lines } = logged(withFaults([rateLimited(1), connectionReset()], server()))
  await clock.settle(client.listAlerts({ groupId, status: 'OPEN' }, { headers: { 'X-Custom': 'hush' } }))
  expect(lines.map(([level, { attempt, status, error }]) => [level, attempt, status ?? error])).toEqual([
    ['warn', 1, 429],
    ['warn', 2, 'NetworkError'],
    ['debug', 3, 200],
  ])
  expect(lines[2]?.[1]).toMatchObject({
    operationId: 'listAlerts',
    path: '/groups/{groupId}/alerts',
    query: { status: 'OPEN' },
    requestHeaders: { accept: 'application/vnd.svc.2023-01-01+json', 'x-custom': '[masked]' },
    responseHeaders: { 'x-request-id': 'req-1', 'x-invented': '[masked]' },
  })
})

test('masks query parameters that are not allowed', async () => {
  const { client, lines } = logged(server())
  const args = { groupId, clusterName: 'orders', ipAddress: '203.0.113.9' }
  await client.listAccessLogsByCluster(args)
  expect(lines[0]?.[1].query).toEqual({ ipAddress: '[masked]' })
})

test('omits bodies by default', async () => {
  const { client, lines } = logged(server())
  await client.createAlertConfig({ groupId, body })
  expect(lines[0]?.[1]).not.toHaveProperty('body')
})

test('masks write-only fields in bodies', async () => {
  const { client, lines } = logged(server(), { bodies: true })
  await client.createAlertConfig({ groupId, body })
  expect(lines[0]?.[1].body).toMatchObject({
    eventTypeName: 'OUTSIDE_METRIC_THRESHOLD',
    notifications: [{ webhookUrl: 'https://hooks.example/1', webhookSecret: '[masked]' }],
  })
})

test('logs no secret, even for failures', async () => {
  const faults = [rateLimited(1), connectionReset()]
  const { client, clock, lines, requests } = logged(withFaults(faults, server()), { bodies: true })
  await clock.settle(client.listAlerts({ groupId }))
  await clock.settle(rejection(client.createAlertConfig({ groupId, body })).catch(() => undefined))
  const text = JSON.stringify(lines)
  const headers = requests
    .map((request) => request.headers.get('authorization'))
    .filter((header) => header !== null)
  expect(headers.length).toBeGreaterThan(0)
  for (const secret of ['hush', key.privateKey, ...headers]) expect(text).not.toContain(secret)
})

test('a logger of pino gets the fields first', async () => {
  const lines: unknown[][] = []
  const write = (...values: unknown[]): void => void lines.push(values)
  const logger = { debug: write, warn: write, bindings: () => ({}) }
  const { client } = setup(() => response({ results: [] }), { middleware: [createLog({ logger })] })
  await client.listAlerts({ groupId })
  expect(lines).toEqual([[expect.objectContaining({ operationId: 'listAlerts' }), 'svc-admin response']])
})

test('creates no fields for a level that the logger drops', async () => {
  let read = 0
  const lines: string[] = []
  const logger = {
    debug: (message: string) => lines.push(message),
    warn: (message: string) => lines.push(message),
    isLevelEnabled: (level: string) => level === 'warn',
  }
  const respond = (): Response => {
    const received = response({ results: [] })
    Object.defineProperty(received.headers, Symbol.iterator, { value: () => [[`${read++}`, '']].values() })
    return received
  }
  const { client } = setup(withFaults([undefined, refused('RESOURCE_NOT_FOUND')], respond), {
    middleware: [createLog({ logger })],
  })
  await client.listAlerts({ groupId })
  expect([lines, read]).toEqual([[], 0])
  await rejection(client.listAlerts({ groupId }))
  expect(lines).toEqual(['svc-admin response'])
})

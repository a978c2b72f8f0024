import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { loadOperations } from '../operations/registry.ts'
import { resolveOptions } from '../options.ts'
import { startServer } from '../start-server.ts'
import { createApp } from './app.ts'
import { createLog } from './log.ts'
import { createOutageLog } from './outage-log.ts'

test('requests that arrive together are all parsed before the first response', async () => {
  const server = await startServer()
  onTestFinished(() => server.stop())
  const { hostname, port } = new URL(server.url)
  const order: string[] = []
  const begin = () => void order.push('begun')
  const end = () => void order.push('answered')
  const [begun, answered] = [channel('http.server.request.start'), channel('http.server.response.finish')]
  begun.subscribe(begin)
  answered.subscribe(end)
  onTestFinished(() => {
    begun.unsubscribe(begin)
    answered.unsubscribe(end)
  })
  const callers = Array.from({ length: 5 }, () => connect(Number(port), hostname))
  const askAll = () =>
    Promise.all(
      callers.map((caller) => {
        caller.write('GET /api/svc/v1.0/groups/64b7e1c20f3a5d6e7f809101/alerts HTTP/1.1\r\nHost: x\r\n\r\n')
        return once(caller, 'data')
      }),
    )
  // The server accepts one connection at a time. On open connections, all requests arrive in the same tick.
  await askAll()
  order.length = 0
  await askAll()
  for (const caller of callers) caller.destroy()
  expect(order).toEqual([...callers.map(() => 'begun'), ...callers.map(() => 'answered')])
})

test('a response with an invalid header becomes a 500, and the cause is logged', async () => {
  const { world, stop } = await startServer()
  onTestFinished(stop)
  let written = ''
  const log = createLog('error', (text) => {
    written += text
  })
  const app = createApp({
    options: resolveOptions(),
    operations: await loadOperations(),
    log,
    outages: createOutageLog(log, { mask: (text) => text }),
    traceRequest: (_, call, work) => {
      let made: typeof call.context
      const get = () => made
      const set = (context: typeof call.context) => {
        made = context
        if (made) made.headers.link = '<https://例え.example>'
      }
      Object.defineProperty(call, 'context', { get, set })
      return work()
    },
    wait: async () => {},
    worldOf: () => world,
  })
  onTestFinished(() => app.close())
  const url = await app.listen({ port: 0 })
  const response = await fetch(`${url}/api/svc/v1.0/groups/64b7e1c20f3a5d6e7f809101/alerts`)
  expect([response.status, response.headers.get('link')]).toEqual([500, null])
  expect(await response.json()).toMatchObject({ error: 500, errorCode: 'UNEXPECTED_ERROR' })
  log.flush()
  expect(written).toContain('ERR_INVALID_CHAR')
})

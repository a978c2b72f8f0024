import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '../start-server.ts'

test('requests that arrive together are all taken apart before one is answered', async () => {
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
  // Connections are taken up one after the other; from then on they are heard in one turn.
  await askAll()
  order.length = 0
  await askAll()
  for (const caller of callers) caller.destroy()
  expect(order).toEqual([...callers.map(() => 'begun'), ...callers.map(() => 'answered')])
})

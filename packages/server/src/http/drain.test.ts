import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { expect, it, onTestFinished, vi } from 'vitest'
import { projectId } from '../../test/demo.ts'
import { startServer } from '../start-server.ts'

/** A number of milliseconds that none of the tests should reach. */
const longTime = 60_000

/** Creates a client that has a single connection. */
async function connect(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const get = async (path: string) => {
    const sent = request(url + path, { agent }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    await response.resume().toArray()
    return { status: response.statusCode, connection: response.headers.connection }
  }
  await get('/healthz')
  return { get }
}

const started = async () => {
  const server = await startServer({ stopTimeout: longTime })
  onTestFinished(() => server.stop())
  return server
}

it.each([
  ['the API', `/api/svc/v2/groups/${projectId}/alerts`, 401],
  ['a page', '/healthz', 200],
  ['an unknown path', '/none', 404],
])('an idle connection can send one more request to %s while the server stops', async (_, path, status) => {
  const server = await started()
  const idle = await connect(server.url)
  const stopped = server.drain(longTime)
  expect(await idle.get(path)).toEqual({ status, connection: 'close' })
  await stopped
})

it('no busy connection is reset', async () => {
  const server = await started()
  const clients = await Promise.all(Array.from({ length: 50 }, () => connect(server.url)))
  const untilClosed = async ({ get }: Awaited<ReturnType<typeof connect>>) => {
    for (;;) if ((await get('/healthz')).connection === 'close') return
  }
  const working = clients.map(untilClosed)
  const stopped = server.drain(longTime)
  await Promise.all(working)
  await stopped
})

it('new connections are refused before the time is over, and open ones still served', async () => {
  const server = await started()
  const idle = await connect(server.url)
  const stopped = server.drain(4000)
  await vi.waitFor(() => expect(fetch(`${server.url}/healthz`)).rejects.toThrow(), 4000)
  expect(await idle.get('/healthz')).toEqual({ status: 200, connection: 'close' })
  await stopped
})

it('a server that stops is not ready, and accepts connections for a while', async () => {
  const server = await started()
  const idle = await connect(server.url)
  const stopped = server.drain(longTime)
  const status = async () => (await fetch(`${server.url}/readyz`)).status
  await vi.waitFor(async () => expect(await status()).toBe(503), 5000)
  await idle.get('/healthz')
  await stopped
  await server.stop()
  await expect(status()).rejects.toThrow()
})

it('idle connections are closed when the time is over', async () => {
  const server = await started()
  const idle = await connect(server.url)
  await server.drain(50)
  await server.stop()
  await expect(idle.get('/healthz')).rejects.toThrow()
})

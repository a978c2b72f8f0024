import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { portOf } from './free-port.ts'
import { spawnServer, startProcess } from './server-process.ts'

it.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)(
  '%s ends a starting server with its own exit code',
  { timeout: 120_000 },
  async (signal, code) => {
    // This database accepts connections, but never responds.
    const silent = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void silent.close())
    await once(silent, 'listening')
    const child = spawnServer(`postgres://127.0.0.1:${portOf(silent)}/db`)
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    const [connection] = await once(silent, 'connection')
    connection.on('error', () => {})
    child.kill(signal)
    // Signals have no default effect on a process with ID 1, so the server must handle them itself.
    expect(await ended).toEqual([code, null])
  },
)

it('SIGTERM lets idle connections finish, and then ends the server', async () => {
  const server = await startProcess(':memory:')
  onTestFinished(() => server.kill())
  const ask = () => fetch(`${server.url}/healthz`)
  await (await ask()).text()
  server.terminate()
  await vi.waitFor(async () => expect((await ask()).headers.get('connection')).toBe('close'), 5000)
  expect(await server.ended).toEqual([0, null])
})

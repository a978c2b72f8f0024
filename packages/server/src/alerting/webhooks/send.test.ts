import { createServer } from 'node:net'
import tls from 'node:tls'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startReceiver } from '../../../test/receiver.ts'
import { ForbiddenAddress, send } from './send.ts'

const message = (url: string) => ({ url, headers: { 'content-type': 'application/json' }, body: '{}' })
const strict = { loopback: false, timeout: 2000 }
const open = { loopback: true, timeout: 2000 }

describe('sending a webhook', () => {
  it('posts the body and returns the status', async () => {
    const { url, received } = await startReceiver((_, response) => response.writeHead(202).end())
    expect(await send(message(url), open)).toEqual({ status: 202, retryAfter: undefined })
    expect(received.map(({ body }) => body)).toEqual(['{}'])
  })

  it.each([
    'http://127.0.0.1:PORT/',
    'http://localhost:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f.1:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://127.1:PORT/',
    'http://0.0.0.0:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::ffff:7f00:1]:PORT/',
    'http://１２７.０.０.１:PORT/',
    'http://169.254.169.254/latest/meta-data/',
    'https://10.0.0.1/',
    'http://user:secret@example.com/',
    'file:///etc/passwd',
    'ftp://example.com/',
    'hooks.example.com/alerts',
    '',
  ])('rejects %s without a connection', async (address) => {
    const { port, received } = await startReceiver()
    const url = address.replace('PORT', String(port))
    await expect(send(message(url), strict)).rejects.toThrow(ForbiddenAddress)
    expect(received).toEqual([])
  })

  it('names the option to allow this machine only for loopback addresses', async () => {
    const option = 'unless the server is started with --webhook-loopback'
    for (const url of ['http://127.0.0.1/', 'http://[::1]/'])
      await expect(send(message(url), strict)).rejects.toThrow(option)
    await expect(send(message('http://10.0.0.1/'), strict)).rejects.toThrow(/to the address 10\.0\.0\.1$/)
  })

  it('rejects a name with a private address among public ones', async () => {
    const find = async () => [
      { address: '93.184.215.14', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ]
    await expect(send(message('http://hooks.example.com/'), { ...strict, find })).rejects.toThrow(
      ForbiddenAddress,
    )
  })

  it('sends nothing once aborted', async () => {
    const { url, received } = await startReceiver()
    await expect(send(message(url), { ...open, abort: AbortSignal.abort() })).rejects.toThrow('stopped')
    expect(received).toEqual([])
  })

  it('connects to the address that was checked: a name is looked up once (DNS rebinding)', async () => {
    const { port, received } = await startReceiver()
    const responses = ['127.0.0.1', '10.0.0.1']
    let asked = 0
    const find = async () => [{ address: responses[asked++] ?? '', family: 4 }]
    await send(message(`http://hooks.example.com:${port}/`), { ...open, find })
    expect([asked, received.length]).toEqual([1, 1])
    expect(received[0]?.headers.host).toBe(`hooks.example.com:${port}`)
    const again = send(message(`http://hooks.example.com:${port}/`), { ...open, find })
    await expect(again).rejects.toThrow(ForbiddenAddress)
    expect(received.length).toBe(1)
  })

  it('checks the peer address of the connection', async () => {
    const { port, received } = await startReceiver()
    const responses = ['93.184.215.14', '127.0.0.1']
    const address = { get: () => responses.shift() ?? '127.0.0.1' }
    const find = async () => [Object.defineProperty({ address: '', family: 4 }, 'address', address)]
    const sent = send(message(`http://hooks.example.com:${port}/`), { ...strict, find })
    await expect(sent).rejects.toThrow('Webhooks cannot be sent to the address 127.0.0.1')
    expect(received).toEqual([])
  })

  it('loads the trust store once, and opens a checked connection for each message', async () => {
    const { port, hellos } = await startListener()
    const contexts = vi.spyOn(tls, 'createSecureContext')
    onTestFinished(() => contexts.mockRestore())
    const addresses = ['127.0.0.1', '127.0.0.1', '10.0.0.1', '127.0.0.1']
    const hosts = ['one.example.com', 'one.example.com', 'one.example.com', 'other.example.com']
    const failures: unknown[] = []
    for (const [index, host] of hosts.entries()) {
      const find = async () => [{ address: addresses[index] ?? '', family: 4 }]
      await send(message(`https://${host}:${port}/`), { ...open, find }).catch((error: unknown) =>
        failures.push(error instanceof ForbiddenAddress),
      )
    }
    expect(failures).toEqual([false, false, true, false])
    const named = hellos.map((hello) => hosts.find((host) => hello.includes(host)))
    expect(named).toEqual(['one.example.com', 'one.example.com', 'other.example.com'])
    expect(contexts.mock.calls.length).toBeLessThanOrEqual(1)
  })

  it('follows no redirect', async () => {
    const inside = await startReceiver()
    const { url } = await startReceiver((_, response) =>
      response.writeHead(307, { location: inside.url }).end(),
    )
    expect((await send(message(url), open)).status).toBe(307)
    expect(inside.received).toEqual([])
  })

  it('times out if the receiver sends no response', async () => {
    const { url } = await startReceiver(() => {})
    await expect(send(message(url), { ...open, timeout: 100 })).rejects.toThrow('The receiver timed out')
  })

  it('reads only the start of a response', async () => {
    let sent = 0
    const { url } = await startReceiver((_, response) => {
      response.writeHead(200)
      const pour = () => {
        while (!response.destroyed && sent < 1e8) {
          sent += 65_536
          if (!response.write(Buffer.alloc(65_536))) return
        }
      }
      response.on('drain', pour)
      pour()
    })
    expect((await send(message(url), open)).status).toBe(200)
    expect(sent).toBeLessThan(1e8)
  })

  it('treats a protocol switch as a rejection', async () => {
    const { url } = await startReceiver(({ socket }) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
    )
    expect(await send(message(url), open)).toEqual({ status: 101, retryAfter: undefined })
  })

  it('reports a receiver that closes without a response', async () => {
    const { url } = await startReceiver((request) => request.socket.destroy())
    await expect(send(message(url), open)).rejects.toThrow(/hang up|ECONNRESET/)
  })
})

/** Starts a server that accepts a connection, records the first bytes that it receives, and closes the connection. */
async function startListener() {
  const hellos: string[] = []
  const server = createServer((socket) => {
    socket
      .on('error', () => {})
      .once('data', (hello) => {
        hellos.push(hello.toString('latin1'))
        socket.destroy()
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('It has no port')
  return { port: address.port, hellos }
}

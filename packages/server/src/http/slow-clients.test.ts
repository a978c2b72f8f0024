import { EventEmitter, once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { portOf } from '../../test/free-port.ts'
import { createNodeServer } from './node-server.ts'

const patience = 400
/** A response that is larger than the socket buffers of the client and the server. */
const large = Buffer.alloc(64 * 1024 * 1024)
const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

async function serve(listener: RequestListener): Promise<Server> {
  const server = createNodeServer({ requestTimeout: patience, headersTimeout: patience }, listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return server
}

/**
 * Creates a client that only reads on demand. `closed` means that the server has closed the connection, for whatever
 * reason.
 */
async function join(server: Server, bytes: string) {
  const there = once(server, 'connection')
  const socket = connect(portOf(server), '127.0.0.1').pause()
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  const [end]: Socket[] = await there
  const closed = new Promise<true>((resolve) => end?.once('close', () => resolve(true)))
  socket.write(bytes)
  return { socket, isClosedWithin: (time: number) => Promise.race([closed, wait(time, false)]) }
}

it("disconnects clients that don't read, and serves others meanwhile", async () => {
  const server = await serve((request, response) => response.end(request.url === '/' ? large : 'small'))
  const stuck = await join(server, get)
  const other = await join(server, get.replace('/', '/small'))
  const [answer] = await once(other.socket.resume(), 'data')
  expect(String(answer)).toMatch(/small$/)
  expect(await stuck.isClosedWithin(3000)).toBe(true)
  expect(await other.isClosedWithin(2 * patience)).toBe(false)
})

it('waits for clients that read slowly but steadily', async () => {
  const server = await serve((_, response) => response.end(large))
  const began = performance.now()
  const { socket } = await join(server, get)
  let size = 0
  socket.on('data', (chunk) => {
    size += chunk.length
    socket.pause()
    setTimeout(() => socket.resume(), 1)
  })
  socket.resume()
  const complete = () => size > large.length
  await Promise.race([once(socket, 'end'), vi.waitUntil(complete, { timeout: 50_000 })])
  expect(size).toBeGreaterThan(large.length)
  expect(performance.now() - began).toBeGreaterThan(patience)
})

/** A connection that only accepts a given number of bytes at a time. */
class Trickle extends Duplex {
  readonly _handle = { bytesWritten: 1_000_000, writeQueueSize: 1_000_000, readStart() {}, readStop() {} }
  readonly bytesWritten = 1_000_000
  readonly bytesRead = 100

  override _read() {}
  override _write() {}
}

it.each([
  ['disconnects', 'byte by byte', 1, true],
  ['waits for', 'at the minimum rate', 16 * 1024, false],
])('%s a client that reads %s', async (_does, _what, step, cut) => {
  // The server counts checks instead of measuring time, so these tests can use any interval between checks.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const server = await serve(() => {})
  // The client in this test never sends a request, so Node may also disconnect it.
  server.on('clientError', () => {})
  const socket = new Trickle()
  onTestFinished(() => void socket.destroy())
  server.emit('connection', socket)
  socket.write('an answer')
  const taking = setInterval(() => {
    socket._handle.writeQueueSize -= step
  }, patience / 8)
  onTestFinished(() => clearInterval(taking))
  vi.advanceTimersByTime(4 * patience)
  expect(socket.destroyed).toBe(cut)
})

it('waits for a slow response, even if more bytes arrive meanwhile', async () => {
  const server = await serve((_, response) => setTimeout(() => response.end('late'), 5 * patience))
  const { socket } = await join(server, get)
  const more = setInterval(() => socket.write(get), patience / 4)
  onTestFinished(() => clearInterval(more))
  const [answer] = await once(socket.resume(), 'data')
  expect(String(answer)).toMatch(/late/)
})

it.each([
  ['headers', 'GET / HTTP/1.1\r\nHost: x\r\nX-'],
  ['a body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx'],
])('stops waiting for the end of %s when it closes, but waits for responses', async (_, bytes) => {
  const begun = new EventEmitter()
  const server = await serve(({ method }, response) => {
    if (method !== 'GET') return
    begun.emit('answer')
    setTimeout(() => response.end('late'), 5 * patience)
  })
  const half = await join(server, bytes)
  const answering = once(begun, 'answer')
  const whole = await join(server, get)
  await answering
  server.close()
  const answer = once(whole.socket.resume(), 'data')
  expect(await half.isClosedWithin(4 * patience)).toBe(true)
  expect(String((await answer)[0])).toMatch(/late/)
})

it('disconnects clients that send line feeds between requests, but not silent ones', async () => {
  const server = await serve((_, response) => response.end('x'))
  const feeding = await join(server, get)
  const silent = await join(server, `${get}\r\n`)
  const feeds = setInterval(() => feeding.socket.write('\r\n'), patience / 8)
  onTestFinished(() => clearInterval(feeds))
  expect(await feeding.isClosedWithin(8 * patience)).toBe(true)
  expect(await silent.isClosedWithin(2 * patience)).toBe(false)
})

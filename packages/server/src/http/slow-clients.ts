import { type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { connectionEvent } from './connection-event.ts'

/** The timeouts for sending a request and reading its response, in milliseconds. */
export interface ClientTimeouts {
  readonly headersTimeout: number
  readonly requestTimeout: number
}

/** The number of milliseconds between checks for slow connections. Node's default is 30 seconds. */
export const slowCheckInterval = 500

/**
 * The minimum number of bytes of a pending response that a client must read within the request timeout. Without this
 * minimum, slow clients could keep responses in memory indefinitely.
 */
const minBytesRead = 16 * 1024

/**
 * The minimum number of checks before a client is disconnected, because a single check might occur between two reads.
 */
const minChecks = 10

/** The counters for the checks of a connection. */
interface ConnectionStats {
  /** The number of checks since the client last read enough bytes of a pending response. */
  waiting: number
  delivered: number
  /** The number of checks since the client last sent bytes that don't belong to a request. */
  unparsed: number
  read: number
  written: number
}

/**
 * Disconnects clients that don't read responses, send only line feeds between requests, or don't finish a request while
 * the server is closing. Node would wait for such clients indefinitely. Checking connections at intervals adds no
 * overhead to individual requests. Timeouts are counted in checks instead of time, because a blocked process must not
 * disconnect its clients.
 */
export function cutSlowClients(server: Server, { requestTimeout, headersTimeout }: ClientTimeouts): void {
  const interval = Math.min(slowCheckInterval, requestTimeout / minChecks)
  const checks = Math.ceil(requestTimeout / interval)
  const connections = new Map<Socket, ConnectionStats>()
  let closing = 0
  const check = () => {
    if (!server.listening) closing += interval
    for (const [socket, stats] of connections) {
      if (readsTooSlowly(socket, stats, checks) || sendsNoRequest(socket, stats, checks)) socket.destroy()
      // Node doesn't check timeouts while a server is closing.
      else if (closing > headersTimeout && !isResponding(socket)) socket.destroy()
      else if (closing > requestTimeout && isSending(socket)) socket.destroy()
    }
  }
  server.on(connectionEvent(server), (socket: Socket) => {
    connections.set(socket, { waiting: 0, delivered: 0, unparsed: 0, read: 0, written: 0 })
    socket.once('close', () => connections.delete(socket))
  })
  server.once('listening', () => {
    const timer = setInterval(check, interval)
    timer.unref()
    server.once('close', () => clearInterval(timer))
  })
}

/**
 * Returns whether the client reads more slowly than the server writes data. If the socket's buffer is empty, the server
 * is slower than the client.
 */
function readsTooSlowly(socket: Socket, stats: ConnectionStats, checks: number): boolean {
  if (socket.writableLength === 0) {
    stats.waiting = 0
    return false
  }
  const delivered = bytesDelivered(socket)
  const enough = delivered - stats.delivered >= minBytesRead
  if (stats.waiting === 0 || enough) stats.delivered = delivered
  stats.waiting = enough ? 1 : stats.waiting + 1
  return stats.waiting > checks
}

/**
 * Returns whether a client sends only empty lines (RFC 9112 §2.2), which don't start Node's timeouts. The limit is one
 * check longer than `checks`, so that Node can reject slow headers first. While the server discards a body, the
 * remaining bytes arrive without interruption.
 */
function sendsNoRequest(socket: Socket, stats: ConnectionStats, checks: number): boolean {
  const { bytesRead, bytesWritten } = socket
  const answered = bytesWritten !== stats.written
  const received = bytesRead !== stats.read
  stats.read = bytesRead
  stats.written = bytesWritten
  if (answered || bytesWritten === 0 || isResponding(socket)) {
    stats.unparsed = 0
    return false
  }
  if (received || stats.unparsed > 0) stats.unparsed += 1
  return received && stats.unparsed > checks + 1
}

/** Returns a socket's unfinished response, which is only available in this internal Node property. */
const responseOn = (socket: Socket): unknown => Reflect.get(socket, '_httpMessage')

const isResponding = (socket: Socket): boolean => Boolean(responseOn(socket))

/** Returns whether a client is still sending a request that the server is already responding to. */
function isSending(socket: Socket): boolean {
  const response = responseOn(socket)
  return response instanceof ServerResponse && !response.req.complete
}

/**
 * Returns the number of bytes that the operating system has accepted for the client. The socket's own counter includes
 * only complete writes, but a response is a single write. Like Node's socket timeouts, this function uses the handle's
 * counters, which are exact.
 */
function bytesDelivered(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle')
  if (typeof handle !== 'object' || handle === null) return 0
  const written: unknown = Reflect.get(handle, 'bytesWritten')
  const queued: unknown = Reflect.get(handle, 'writeQueueSize')
  return typeof written === 'number' && typeof queued === 'number' ? written - queued : 0
}

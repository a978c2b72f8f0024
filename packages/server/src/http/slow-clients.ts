import { type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { connectionEvent } from './connection-event.ts'

/** Timeouts for clients, in milliseconds: to send a request, and to read the response. */
export interface ClientTimeouts {
  readonly headersTimeout: number
  readonly requestTimeout: number
}

/** Milliseconds between checks for slow connections. Node's own default is 30 seconds. */
export const slowCheckInterval = 500

/**
 * Bytes of a pending response that a client must read within the request timeout. Slower clients could hold responses
 * in memory indefinitely.
 */
const minBytesRead = 16 * 1024

/** Minimum number of checks before a client is disconnected. A single check can fall between two reads. */
const minChecks = 10

/** Counters of a connection. */
interface ConnectionStats {
  /** Checks with a pending response since the client last read enough. */
  waiting: number
  delivered: number
  /** Checks since bytes arrived that didn't form a request. */
  unparsed: number
  read: number
  written: number
}

/**
 * Disconnects clients that Node waits for indefinitely: clients that don't read responses, that send line feeds
 * between requests, or that don't finish a request while the server closes. All connections are checked at intervals,
 * so that requests have no overhead. Counts checks instead of time, because a clock would blame clients for a blocked
 * process.
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
      // Node doesn't check timeouts while a server closes.
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

/** If nothing waits in the socket's buffer, the server is slow, not the client. */
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
 * Detects clients that send only empty lines (RFC 9112 §2.2), for which Node's timeouts don't start. Waits one check
 * longer, because Node rejects slow headers itself. The rest of a discarded body arrives without a pause.
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

/** The unfinished response of a socket. Node stores it only in this internal property. */
const responseOn = (socket: Socket): unknown => Reflect.get(socket, '_httpMessage')

const isResponding = (socket: Socket): boolean => Boolean(responseOn(socket))

/** Whether the request of the current response is still incomplete. */
function isSending(socket: Socket): boolean {
  const response = responseOn(socket)
  return response instanceof ServerResponse && !response.req.complete
}

/**
 * Returns how many bytes the operating system has accepted for the client. A socket counts only whole writes, and a
 * response is a single write. Node's own socket timeouts use the handle's counters as well.
 */
function bytesDelivered(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle')
  if (typeof handle !== 'object' || handle === null) return 0
  const written: unknown = Reflect.get(handle, 'bytesWritten')
  const queued: unknown = Reflect.get(handle, 'writeQueueSize')
  return typeof written === 'number' && typeof queued === 'number' ? written - queued : 0
}

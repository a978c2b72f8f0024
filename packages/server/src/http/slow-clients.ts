import { type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How long a client may take to send a request, and to read what is answered, in milliseconds. */
export interface ClientTimeouts {
  readonly headersTimeout: number
  readonly requestTimeout: number
}

/** How often slow connections are looked for, in milliseconds: Node's own default is half a minute. */
export const slowCheckInterval = 500

/**
 * What a client takes of a waiting answer, in bytes, within the time that it is given for a request. Whoever takes
 * less holds the answer as long as he likes, as does one who takes nothing.
 */
const minBytesRead = 16 * 1024

/** Looks that a client gets at least: one alone can fall between two of his reads. */
const minChecks = 10

/** What was seen of a connection so far. */
interface ConnectionStats {
  /** Looks at which an answer waited since enough was taken for the last time. */
  waiting: number
  taken: number
  /** Looks since bytes came of which no request has become. */
  stray: number
  read: number
  written: number
}

/**
 * Cuts those whom Node waits for without end: clients that do not read what they asked for, that send line feeds
 * between requests, and, once the server closes, that do not send their request to its end. It looks at all connections
 * now and then, so that a request costs nothing. Looks are counted, and not time: of a process that was held up itself, a
 * clock would say that its clients were slow.
 */
export function cutSlowClients(server: Server, { requestTimeout, headersTimeout }: ClientTimeouts): void {
  const interval = Math.min(slowCheckInterval, requestTimeout / minChecks)
  const looks = Math.ceil(requestTimeout / interval)
  const connections = new Map<Socket, ConnectionStats>()
  let closing = 0
  const look = () => {
    if (!server.listening) closing += interval
    for (const [socket, seen] of connections) {
      if (readsTooSlowly(socket, seen, looks) || sendsNoRequest(socket, seen, looks)) socket.destroy()
      // Node no longer looks at those of a server that closes.
      else if (closing > headersTimeout && !isResponding(socket)) socket.destroy()
      else if (closing > requestTimeout && isSending(socket)) socket.destroy()
    }
  }
  server.on('connection', (socket) => {
    connections.set(socket, { waiting: 0, taken: 0, stray: 0, read: 0, written: 0 })
    socket.once('close', () => connections.delete(socket))
  })
  server.once('listening', () => {
    const timer = setInterval(look, interval)
    timer.unref()
    server.once('close', () => clearInterval(timer))
  })
}

/** A server that is slow itself, or told to be, has nothing waiting and is not meant. */
function readsTooSlowly(socket: Socket, seen: ConnectionStats, looks: number): boolean {
  if (socket.writableLength === 0) {
    seen.waiting = 0
    return false
  }
  const taken = bytesDelivered(socket)
  const enough = taken - seen.taken >= minBytesRead
  if (seen.waiting === 0 || enough) seen.taken = taken
  seen.waiting = enough ? 1 : seen.waiting + 1
  return seen.waiting > looks
}

/**
 * Empty lines before a request (RFC 9112 §2.2) begin none, by Node's count of time. The head of a slow request is
 * Node's to refuse, which is why this waits for one look longer. What is left of a body that nobody wanted comes
 * without a break.
 */
function sendsNoRequest(socket: Socket, seen: ConnectionStats, looks: number): boolean {
  const { bytesRead, bytesWritten } = socket
  const answered = bytesWritten !== seen.written
  const came = bytesRead !== seen.read
  seen.read = bytesRead
  seen.written = bytesWritten
  if (answered || bytesWritten === 0 || isResponding(socket)) {
    seen.stray = 0
    return false
  }
  if (came || seen.stray > 0) seen.stray += 1
  return came && seen.stray > looks + 1
}

/** The answer that has not ended to a request that was made out. Node keeps it here and tells nowhere else. */
const responseOn = (socket: Socket): unknown => Reflect.get(socket, '_httpMessage')

const isResponding = (socket: Socket): boolean => Boolean(responseOn(socket))

/** Whether of the request that is answered not all has come. */
function isSending(socket: Socket): boolean {
  const response = responseOn(socket)
  return response instanceof ServerResponse && !response.req.complete
}

/**
 * How many bytes the system has taken for a client. A socket tells of whole writes alone, and an answer is one: the
 * handle knows more, by which Node's own socket timeouts go as well.
 */
function bytesDelivered(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle')
  if (typeof handle !== 'object' || handle === null) return 0
  const written: unknown = Reflect.get(handle, 'bytesWritten')
  const queued: unknown = Reflect.get(handle, 'writeQueueSize')
  return typeof written === 'number' && typeof queued === 'number' ? written - queued : 0
}

import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** How often slow connections are looked for, in milliseconds: Node's own default is half a minute. */
export const slowCheckInterval = 500

/**
 * What a client takes of a waiting answer, in bytes, within the time that it is given for a request. Whoever takes
 * less holds the answer as long as he likes, as does one who takes nothing.
 */
const leastTaken = 16 * 1024

/** Looks that a client gets at least: one alone can fall between two of his reads. */
const fewestLooks = 10

/** What was seen of a connection so far. */
interface Seen {
  /** Looks at which an answer waited since enough was taken for the last time. */
  waiting: number
  taken: number
  /** Looks since bytes came of which no request has become. */
  stray: number
  read: number
  written: number
}

/**
 * Cuts those whom Node waits for without end: clients that do not read what they asked for, and that send line feeds
 * between requests. It looks at all connections now and then, so that a request costs nothing. Looks are counted, and
 * not time: of a process that was held up itself, a clock would say that its clients were slow.
 */
export function cutSlowClients(server: Server, patience: number): void {
  const interval = Math.min(slowCheckInterval, patience / fewestLooks)
  const looks = Math.ceil(patience / interval)
  const connections = new Map<Socket, Seen>()
  const look = () => {
    for (const [socket, seen] of connections) {
      if (takesTooLittle(socket, seen, looks) || sendsNoRequest(socket, seen, looks)) socket.destroy()
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
function takesTooLittle(socket: Socket, seen: Seen, looks: number): boolean {
  if (socket.writableLength === 0) {
    seen.waiting = 0
    return false
  }
  const taken = takenFrom(socket)
  const enough = taken - seen.taken >= leastTaken
  if (seen.waiting === 0 || enough) seen.taken = taken
  seen.waiting = enough ? 1 : seen.waiting + 1
  return seen.waiting > looks
}

/**
 * Empty lines before a request (RFC 9112 §2.2) begin none, by Node's count of time. The head of a slow request is
 * Node's to refuse, which is why this waits for one look longer. What is left of a body that nobody wanted comes
 * without a break.
 */
function sendsNoRequest(socket: Socket, seen: Seen, looks: number): boolean {
  const { bytesRead, bytesWritten } = socket
  const answered = bytesWritten !== seen.written
  const came = bytesRead !== seen.read
  seen.read = bytesRead
  seen.written = bytesWritten
  if (answered || bytesWritten === 0 || isAnswering(socket)) {
    seen.stray = 0
    return false
  }
  if (came || seen.stray > 0) seen.stray += 1
  return came && seen.stray > looks + 1
}

/** Whether a request was made out whose answer has not ended. Node keeps it here and tells nowhere else. */
const isAnswering = (socket: Socket): boolean => Boolean(Reflect.get(socket, '_httpMessage'))

/**
 * How many bytes the system has taken for a client. A socket tells of whole writes alone, and an answer is one: the
 * handle knows more, by which Node's own socket timeouts go as well.
 */
function takenFrom(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle')
  if (typeof handle !== 'object' || handle === null) return 0
  const written: unknown = Reflect.get(handle, 'bytesWritten')
  const queued: unknown = Reflect.get(handle, 'writeQueueSize')
  return typeof written === 'number' && typeof queued === 'number' ? written - queued : 0
}

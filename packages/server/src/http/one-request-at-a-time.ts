import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { connectionEvent } from './connection-event.ts'
import { createTurns } from './turns.ts'

/** Holds back bytes from a connection until Node's parser is allowed to process them. */
interface Gate {
  /** The number of requests with incomplete responses. */
  open: number
  /** The latest request. Until this request's body is complete, the parser needs more bytes. */
  latest: IncomingMessage | undefined
  /** The number of remaining bytes in the latest request's body, or 0 if the request has no `Content-Length`. */
  bodyLeft: number
  readonly waiting: Buffer[]
  feeding: boolean
  paused: boolean
  /** Whether the next request must wait for another event loop turn. */
  queued: boolean
  readonly release: () => void
}

const emptyLine = Buffer.from('\r\n\r\n')
const [carriageReturn, lineFeed] = emptyLine

/**
 * Handles only one request at a time on each connection. Without this limit, a client could start a thousand pipelined
 * requests with a few kilobytes, because Node parses each chunk completely (RFC 9112 §9.3.2). This function passes the
 * bytes of one request to the parser, and doesn't read from the socket until the response is sent. TCP flow control
 * then slows the client down. All connections take turns starting requests.
 *
 * @returns a function that returns the total number of unfinished requests.
 */
export function handleOneRequestAtATime(server: Server): () => number {
  const gates = new WeakMap<Socket, Gate>()
  const turns = createTurns()
  let inFlight = 0
  server.on(connectionEvent(server), (socket: Socket) => {
    // By default, Node passes incoming bytes directly to the parser.
    // If there is a second listener, Node emits `data` events instead.
    const [parse] = socket.listeners('data')
    if (!parse) throw new Error('node:http has no data listener on a new connection')
    socket.removeAllListeners('data')
    turns.accepted()
    const feed = (bytes: Buffer): void => {
      Reflect.apply(parse, socket, [bytes])
    }
    const advance = () => {
      gate.queued = false
      pump(socket, gate, feed, mayStart)
    }
    const queue = () => {
      if (!gate.queued) turns.queue(advance)
      gate.queued = true
    }
    const mayStart = (): boolean => {
      const may = !gate.queued && turns.start()
      if (!may) queue()
      return may
    }
    const gate: Gate = {
      open: 0,
      latest: undefined,
      bodyLeft: 0,
      waiting: [],
      feeding: false,
      paused: false,
      queued: false,
      release: () => {
        gate.open -= 1
        inFlight -= 1
        if (gate.waiting.length > 0) queue()
        else pump(socket, gate, feed, mayStart)
      },
    }
    gates.set(socket, gate)
    socket.on('data', (chunk: Buffer) => {
      gate.waiting.push(chunk)
      pump(socket, gate, feed, mayStart)
    })
  })
  const count = (request: IncomingMessage, response: ServerResponse): void => {
    const gate = gates.get(request.socket)
    if (!gate) return
    gate.open += 1
    inFlight += 1
    gate.latest = request
    gate.bodyLeft = Number(request.headers['content-length'] ?? 0)
    response.on('close', gate.release)
  }
  server.prependListener('request', count)
  server.prependListener('checkExpectation', count)
  return () => inFlight
}

/**
 * While the connection may start another request, passes bytes to the parser, up to the end of the next request's
 * headers.
 */
function pump(socket: Socket, gate: Gate, feed: (bytes: Buffer) => void, mayStart: () => boolean): void {
  if (gate.feeding) return
  gate.feeding = true
  while (gate.waiting.length > 0 && mayFeed(gate) && !socket.destroyed && (gate.open > 0 || mayStart()))
    feed(nextPiece(gate))
  gate.feeding = false
  if (gate.waiting.length > 0 && !socket.destroyed) pause(socket, gate)
  else if (gate.paused) resume(socket, gate)
}

const mayFeed = ({ open, latest }: Gate): boolean => open === 0 || latest?.complete === false

/**
 * Removes and returns the bytes that the parser receives next. The removed bytes never extend beyond the end of a
 * request.
 */
function nextPiece(gate: Gate): Buffer {
  const { waiting } = gate
  const [chunk = Buffer.alloc(0)] = waiting
  const end = gate.bodyLeft > 0 ? Math.min(gate.bodyLeft, chunk.length) : endOfLines(chunk)
  gate.bodyLeft = Math.max(0, gate.bodyLeft - end)
  if (end < chunk.length) waiting[0] = chunk.subarray(end)
  else waiting.shift()
  return end < chunk.length ? chunk.subarray(0, end) : chunk
}

/** Returns the position after the first empty line, which ends a request head or a chunked body. */
function endOfLines(chunk: Buffer): number {
  const [first] = chunk
  // The empty line may start in the previous chunk.
  if (first === lineFeed || first === carriageReturn) return 1
  const at = chunk.indexOf(emptyLine)
  return at < 0 ? chunk.length : at + emptyLine.length
}

/** Pauses the socket and overrides its `resume` method, because Node resumes the socket after each response. */
function pause(socket: Socket, gate: Gate): void {
  if (gate.paused) return
  gate.paused = true
  socket.pause()
  socket.resume = () => socket
}

function resume(socket: Socket, gate: Gate): void {
  gate.paused = false
  Reflect.deleteProperty(socket, 'resume')
  if (!socket.destroyed) socket.resume()
}

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { connectionEvent } from './connection-event.ts'

/** The received bytes of a connection that Node's parser hasn't seen yet. */
interface Gate {
  /** Requests without a complete response. */
  open: number
  /** The latest request. The parser needs more bytes until its body is complete. */
  latest: IncomingMessage | undefined
  readonly waiting: Buffer[]
  feeding: boolean
  paused: boolean
  readonly release: () => void
}

const endOfHead = Buffer.from('\r\n\r\n')

/**
 * Handles one request per connection at a time. Node parses a whole chunk at once, so a client that pipelines
 * (RFC 9112 §9.3.2) could start a thousand requests with a few kilobytes. Here the parser gets one request's bytes at a
 * time, and the socket isn't read further until its response is sent: TCP slows the client down.
 *
 * @returns the number of requests in flight on all connections
 */
export function handleOneRequestAtATime(server: Server): () => number {
  const gates = new WeakMap<Socket, Gate>()
  let inFlight = 0
  server.on(connectionEvent(server), (socket: Socket) => {
    // Node's own listener passes the bytes to the parser. A second listener makes Node deliver them as events.
    const [parse] = socket.listeners('data')
    if (!parse) throw new Error('node:http has no data listener on a new connection')
    socket.removeAllListeners('data')
    const feed = (bytes: Buffer): void => {
      Reflect.apply(parse, socket, [bytes])
    }
    const gate: Gate = {
      open: 0,
      latest: undefined,
      waiting: [],
      feeding: false,
      paused: false,
      release: () => {
        gate.open -= 1
        inFlight -= 1
        // Go through the event loop. A client that pipelines would otherwise hold up all others until its last request.
        if (gate.waiting.length > 0) setImmediate(pump, socket, gate, feed)
        else pump(socket, gate, feed)
      },
    }
    gates.set(socket, gate)
    socket.on('data', (chunk: Buffer) => {
      gate.waiting.push(chunk)
      pump(socket, gate, feed)
    })
  })
  const count = (request: IncomingMessage, response: ServerResponse): void => {
    const gate = gates.get(request.socket)
    if (!gate) return
    gate.open += 1
    inFlight += 1
    gate.latest = request
    response.once('close', gate.release)
  }
  server.prependListener('request', count)
  server.prependListener('checkExpectation', count)
  return () => inFlight
}

/** Feeds the parser up to the end of the next head, as long as the connection may start another request. */
function pump(socket: Socket, gate: Gate, feed: (bytes: Buffer) => void): void {
  if (gate.feeding) return
  gate.feeding = true
  while (gate.waiting.length > 0 && mayFeed(gate) && !socket.destroyed) feed(nextPiece(gate.waiting))
  gate.feeding = false
  if (gate.waiting.length > 0 && !socket.destroyed) pause(socket, gate)
  else if (gate.paused) resume(socket, gate)
}

const mayFeed = ({ open, latest }: Gate): boolean => open === 0 || latest?.complete === false

function nextPiece(waiting: Buffer[]): Buffer {
  const [chunk = Buffer.alloc(0)] = waiting
  const at = chunk.indexOf(endOfHead)
  const end = at < 0 ? chunk.length : at + endOfHead.length
  if (end < chunk.length) waiting[0] = chunk.subarray(end)
  else waiting.shift()
  return chunk.subarray(0, end)
}

/** Overrides `resume`, because Node resumes a socket after each response and would read more bytes. */
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

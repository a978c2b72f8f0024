import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate, setTimeout } from 'node:timers/promises'

const checkInterval = 20

/**
 * Serves one more request on each open connection, then closes the connection. After the given time, closes all
 * remaining connections. If idle connections were closed immediately, a client that had just sent a request wouldn't
 * know whether it was processed. The server accepts new connections for at most half of the given time, so that their
 * requests can finish.
 */
export async function drainConnections(server: Server, milliseconds: number): Promise<void> {
  const closeAfterwards = (_: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false
  }
  server.prependListener('request', closeAfterwards)
  server.prependListener('checkExpectation', closeAfterwards)
  const end = performance.now() + milliseconds
  await untilUnused(server, milliseconds / 4)
  await untilAccepted(server, milliseconds / 4)
  // Unlike the HTTP server's own `close()`, the `close()` of `net.Server` doesn't close idle connections.
  NetServer.prototype.close.call(server)
  await untilUnused(server, end - performance.now())
}

/**
 * Waits until there are no pending connections, because closing the server would reset them. Node accepts one
 * connection per event loop turn, so there are no pending connections if none is accepted during a turn.
 */
async function untilAccepted(server: Server, milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds
  let isWaiting = true
  const accepted = () => {
    isWaiting = true
  }
  server.on('connection', accepted)
  while (isWaiting && performance.now() < end) {
    isWaiting = false
    await setImmediate()
  }
  server.off('connection', accepted)
}

async function untilUnused(server: Server, milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds
  while (performance.now() < end && (await countOf(server)) > 0) await setTimeout(checkInterval)
}

const countOf = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((_, count) => resolve(count ?? 0)))

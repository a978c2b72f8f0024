import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'

const checkInterval = 20

/**
 * Serves the open connections until each of them has sent one more request, whose response closes the connection, or
 * the time is over. A server that closes an idle connection immediately may hit a request that is already on its way.
 * The client then sees a reset, and can't tell whether the request was processed.
 */
export async function drainConnections(server: Server, milliseconds: number): Promise<void> {
  const closeAfterwards = (_: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false
  }
  server.prependListener('request', closeAfterwards)
  server.prependListener('checkExpectation', closeAfterwards)
  const end = performance.now() + milliseconds
  while (performance.now() < end && (await countOf(server)) > 0) await setTimeout(checkInterval)
}

const countOf = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((_, count) => resolve(count ?? 0)))

import { createServer, type RequestListener, type Server } from 'node:http'
import { handleOneRequestAtATime } from './one-request-at-a-time.ts'
import { cutSlowClients, type Patience, slowCheckInterval } from './slow-clients.ts'

/** How long an idle connection is kept: longer than a proxy in front keeps it, which then is the one to close it. */
const keepAlive = 72_000

/**
 * Requests that a process handles at once, on all connections together. Each holds a few kilobytes; the rest of a flood
 * gets a 503 instead of the memory.
 */
const mostInFlight = 1024

/**
 * Creates a server with timeouts for slow clients, one request per connection at a time, and all headers passed on.
 *
 * @param overloaded responds when too many requests are in flight; without it there is no limit
 */
export function createPatientServer(
  patience: Patience,
  listener: RequestListener,
  overloaded: RequestListener = listener,
): Server {
  const { requestTimeout, headersTimeout } = patience
  const settings = {
    requestTimeout,
    headersTimeout,
    connectionsCheckingInterval: Math.min(slowCheckInterval, requestTimeout),
    keepAliveTimeout: keepAlive,
    // Node's own rejection has no body; ours is in `requireHost`.
    requireHostHeader: false,
  }
  const server = createServer(settings)
  // Node would drop every header after the 2000th. Their total size is limited.
  server.maxHeadersCount = 0
  const inFlight = handleOneRequestAtATime(server)
  const respond: RequestListener = (request, response) =>
    inFlight() > mostInFlight ? overloaded(request, response) : listener(request, response)
  server.on('request', respond)
  // RFC 9110 §10.1.1 lets a server ignore an expectation that it doesn't know; Node would return 417.
  server.on('checkExpectation', respond)
  cutSlowClients(server, patience)
  return server
}

import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { handleOneRequestAtATime } from './one-request-at-a-time.ts'
import { type ClientTimeouts, cutSlowClients, slowCheckInterval } from './slow-clients.ts'
import type { TlsContents } from './tls.ts'

/**
 * The keep-alive timeout in milliseconds. It is longer than the timeouts of common proxies, so that proxies close idle
 * connections first.
 */
const keepAliveTimeout = 72_000

/**
 * The maximum number of concurrent requests in a process, over all connections. Each request takes a few kilobytes of
 * memory. Additional requests return 503.
 */
const maxInFlight = 1024

/**
 * Creates a Node HTTP server that disconnects slow clients, handles one request per connection at a time, and doesn't
 * drop headers.
 *
 * @param overloaded Responds if there are too many concurrent requests. If omitted, there is no limit.
 * @param tls If set, the server uses HTTPS instead of HTTP.
 */
export function createNodeServer(
  timeouts: ClientTimeouts,
  listener: RequestListener,
  overloaded: RequestListener = listener,
  tls?: TlsContents,
): Server {
  const { requestTimeout, headersTimeout } = timeouts
  const settings = {
    requestTimeout,
    headersTimeout,
    connectionsCheckingInterval: Math.min(slowCheckInterval, requestTimeout),
    keepAliveTimeout,
    // Node's error response has no body, so `requireHost` checks the header instead.
    requireHostHeader: false,
  }
  const server = tls
    ? createSecureServer({ ...settings, ...tls, handshakeTimeout: headersTimeout })
    : createServer(settings)
  // By default, Node silently drops all headers after the 2,000th. This limit isn't necessary, because the total size
  // of the headers is limited anyway.
  server.maxHeadersCount = 0
  const inFlight = handleOneRequestAtATime(server)
  const respond: RequestListener = (request, response) =>
    inFlight() > maxInFlight ? overloaded(request, response) : listener(request, response)
  server.on('request', respond)
  // A server may ignore an unknown expectation (RFC 9110 §10.1.1). By default, Node returns 417.
  server.on('checkExpectation', respond)
  cutSlowClients(server, timeouts)
  return server
}

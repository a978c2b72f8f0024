import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { handleOneRequestAtATime } from './one-request-at-a-time.ts'
import { type ClientTimeouts, cutSlowClients, slowCheckInterval } from './slow-clients.ts'
import type { TlsContents } from './tls.ts'

/**
 * The keep-alive timeout in milliseconds. This timeout is longer than the keep-alive timeouts of common proxies, so a
 * proxy always closes an idle connection first.
 */
const keepAliveTimeout = 72_000

/**
 * The maximum number of concurrent requests per process. Each request uses a few kilobytes of memory. Requests beyond
 * the maximum return 503.
 */
const maxInFlight = 1024

/**
 * Creates a Node HTTP server that disconnects slow clients, handles one request at a time per connection, and keeps all
 * headers.
 *
 * @param overloaded Responds to requests beyond the maximum number of concurrent requests. If omitted, the number of
 *   concurrent requests is unlimited.
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
    // `requireHost` checks the Host header instead, because Node's own error response has no body.
    requireHostHeader: false,
  }
  const server = tls
    ? createSecureServer({ ...settings, ...tls, handshakeTimeout: headersTimeout })
    : createServer(settings)
  // By default, Node silently drops all headers after the 2,000th. The total size of the headers is limited instead.
  server.maxHeadersCount = 0
  const inFlight = handleOneRequestAtATime(server)
  const respond: RequestListener = (request, response) =>
    inFlight() > maxInFlight ? overloaded(request, response) : listener(request, response)
  server.on('request', respond)
  // By default, Node returns 417 for unknown expectations.
  // Servers may also ignore unknown expectations (RFC 9110 §10.1.1).
  server.on('checkExpectation', respond)
  cutSlowClients(server, timeouts)
  return server
}

import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { handleOneRequestAtATime } from './one-request-at-a-time.ts'
import { type ClientTimeouts, cutSlowClients, slowCheckInterval } from './slow-clients.ts'
import type { TlsContents } from './tls.ts'

/**
 * Keep-alive timeout in milliseconds. It is longer than common proxies' timeouts, so that proxies close idle
 * connections before the server does.
 */
const keepAliveTimeout = 72_000

/**
 * Maximum number of requests that a process handles at the same time, across all connections. Each request takes a few
 * kilobytes of memory. Additional requests return 503.
 */
const maxInFlight = 1024

/**
 * Creates a Node HTTP server that disconnects slow clients, handles one request per connection at a time, and doesn't
 * drop headers.
 *
 * @param overloaded responds when too many requests are in flight. If omitted, there is no limit.
 * @param tls if set, the server uses HTTPS instead of HTTP.
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
  // By default, Node silently drops all headers after the 2000th. The headers' total size is limited anyway.
  server.maxHeadersCount = 0
  const inFlight = handleOneRequestAtATime(server)
  const respond: RequestListener = (request, response) =>
    inFlight() > maxInFlight ? overloaded(request, response) : listener(request, response)
  server.on('request', respond)
  // RFC 9110 §10.1.1 allows a server to ignore an unknown expectation. Node would return 417.
  server.on('checkExpectation', respond)
  cutSlowClients(server, timeouts)
  return server
}

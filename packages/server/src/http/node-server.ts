import { createServer, type RequestListener, type Server } from 'node:http'
import { type ClientTimeouts, cutSlowClients, slowCheckInterval } from './slow-clients.ts'

/**
 * Keep-alive timeout in milliseconds. Longer than the timeout of common proxies, so that the proxy closes idle
 * connections.
 */
const keepAliveTimeout = 72_000

/** Creates a Node HTTP server that disconnects slow clients and doesn't drop headers. */
export function createNodeServer(timeouts: ClientTimeouts, listener: RequestListener): Server {
  const { requestTimeout, headersTimeout } = timeouts
  const settings = {
    requestTimeout,
    headersTimeout,
    connectionsCheckingInterval: Math.min(slowCheckInterval, requestTimeout),
    keepAliveTimeout: keepAliveTimeout,
    // Node's error response has no body. `requireHost` checks the header instead.
    requireHostHeader: false,
  }
  const server = createServer(settings, listener)
  // By default, Node silently drops headers after the 2000th. Their total size is limited anyway.
  server.maxHeadersCount = 0
  cutSlowClients(server, timeouts)
  return server
}

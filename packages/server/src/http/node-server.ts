import { createServer, type RequestListener, type Server } from 'node:http'
import { type ClientTimeouts, cutSlowClients, slowCheckInterval } from './slow-clients.ts'

/** How long an idle connection is kept: longer than a proxy in front keeps it, which then is the one to close it. */
const keepAliveTimeout = 72_000

/** A server of Node's that waits for nobody without end and passes on every header that it takes. */
export function createNodeServer(patience: ClientTimeouts, listener: RequestListener): Server {
  const { requestTimeout, headersTimeout } = patience
  const settings = {
    requestTimeout,
    headersTimeout,
    connectionsCheckingInterval: Math.min(slowCheckInterval, requestTimeout),
    keepAliveTimeout: keepAliveTimeout,
    // Node's own refusal has no body; ours is in `requireHost`.
    requireHostHeader: false,
  }
  const server = createServer(settings, listener)
  // Node would pass over those after the 2000th without a word. What all of them weigh together is limited.
  server.maxHeadersCount = 0
  cutSlowClients(server, patience)
  return server
}

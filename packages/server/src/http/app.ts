import type { IncomingMessage, RequestListener } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { problem } from '../domain/problem.ts'
import { type Call, createCall } from './call.ts'
import { respondToClientError } from './client-error.ts'
import { requireHost } from './host.ts'
import { createNodeServer } from './node-server.ts'
import { hasUnsupportedTransferCoding } from './read-body.ts'
import { createRequestIds } from './request-id.ts'
import { type AppDependencies, createResponder, type Responder, requireWorld } from './responder.ts'
import { routesOf } from './route-table.ts'
import { createRouter } from './router.ts'
import { withoutSchemas } from './without-schemas.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Sends the documentation's 404 page if the server has documentation. */
    missingPage: ((request: FastifyRequest, reply: FastifyReply) => FastifyReply) | undefined
    /** The paths outside the API, which only support GET and HEAD. */
    readOnly: Set<string>
    /** Whether the server is stopping and must close each connection after the response. */
    stopping: boolean
  }
}

/** All applications in the process share this router. */
const route = createRouter(routesOf())

/**
 * Builds the HTTP application. Node's HTTP server handles requests for the operations in the specification directly.
 * Fastify handles all other requests, such as those for health checks, metrics and the documentation.
 */
export function createApp(parts: AppDependencies): FastifyInstance {
  const calls = new WeakMap<IncomingMessage, Call>()
  const nextId = createRequestIds()
  const listener = (fallback: RequestListener): RequestListener => {
    return (request, response) => {
      const call = createCall(nextId(), request, response, parts.options.sandbox)
      try {
        if (hasUnsupportedTransferCoding(request)) return responder.rejectTransferCoding(call)
        requireWellFormed(request)
        // Check the world first, because even health checks must fail if the world doesn't exist.
        if (parts.options.sandbox) requireWorld(call, parts.worldOf)
        const routed = route(call.method, call.path)
        if (routed) return responder.response(routed, call)
      } catch (error) {
        return responder.reject(error, call)
      }
      calls.set(request, call)
      request.url = call.search === '' ? call.path : `${call.path}?${call.search}`
      fallback(request, response)
    }
  }
  const overloaded: RequestListener = (request, response) => {
    const call = createCall(nextId(), request, response, parts.options.sandbox)
    responder.reject(tooManyRequests(), call)
  }
  const app = Fastify({
    logger: false,
    schemaController: withoutSchemas,
    requestIdHeader: false,
    exposeHeadRoutes: false,
    /** While stopping, the server still processes requests on open connections. */
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { querystringParser: () => ({}) },
    clientErrorHandler: (error, socket) => {
      const clientError = respondToClientError(error, socket, nextId())
      if (clientError) responder.observeClientError(clientError)
    },
    serverFactory: (fallback) => createNodeServer(parts.options, listener(fallback), overloaded, parts.tls),
    // If a URL can't be decoded, Fastify reports a framework error and the server returns 404.
    frameworkErrors: (_, request, reply) => reject(unknownPath(), request, reply),
  })
  const responder = createResponder(parts, { port: portOf(app), stopping: () => app.stopping })
  const reject = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const call = calls.get(request.raw)
    if (!call) throw error
    reply.hijack()
    responder.reject(error, call)
  }
  app.decorate('missingPage', undefined)
  app.decorate('readOnly', new Set<string>())
  app.decorate('stopping', false)
  // Run the checks before Fastify reads the body, because Fastify may return its own errors while reading.
  app.addHook('onRequest', async (request, reply) => {
    const call = calls.get(request.raw)
    if (call) reply.header('x-request-id', call.id)
    if (!request.is404) return
    if (!call || !app.readOnly.has(call.path)) return reject(unknownPath(), request, reply)
    reply.hijack()
    responder.response(
      { kind: request.method === 'OPTIONS' ? 'options' : 'refused', allow: allowOfPage },
      call,
    )
  })
  app.addHook('onResponse', async (request) => observeOnce(responder, calls.get(request.raw)))
  app.setErrorHandler(reject)
  app.setNotFoundHandler((request, reply) => {
    const { missingPage: page } = app
    if (!page || !acceptsHtml(request)) return reject(unknownPath(), request, reply)
    page(request, reply.code(404))
  })
  return app
}

/** Returns whether a browser is requesting a page outside the API. */
const acceptsHtml = ({ method, url, headers: { accept = '' } }: FastifyRequest): boolean =>
  method === 'GET' && !url.startsWith('/api/') && accept.includes('text/html')

const allowOfPage = 'GET, HEAD, OPTIONS'

const tooManyRequests = () =>
  problem('UNAVAILABLE', {
    detail: 'The server is processing too many requests. Try again in a second.',
    headers: { 'retry-after': '1' },
  })

const unknownPath = () =>
  problem('RESOURCE_NOT_FOUND', { detail: 'The API has no operation with this path.' })

function observeOnce(responder: Responder, call: Call | undefined): void {
  if (call) responder.observe(call)
}

/** Rejects requests that RFC 9112 §3.2 forbids but Node's parser accepts. */
function requireWellFormed(request: IncomingMessage): void {
  requireHost(request)
  if (request.url?.includes('#')) {
    throw problem('VALIDATION_ERROR', {
      detail: 'The request target contains a fragment.',
      parameters: ['path'],
    })
  }
}

/**
 * Returns the port that the application listens on. The port is cached, because it is needed for every response with
 * links.
 */
function portOf(app: FastifyInstance): () => number | undefined {
  let port: number | undefined
  return () => {
    const address = port === undefined ? app.server.address() : null
    if (typeof address === 'object' && address !== null) port = address.port
    return port
  }
}

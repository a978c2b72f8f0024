import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { problem } from '../domain/problem.ts'
import type { OperationModule } from '../operations/operation.ts'
import { answerClientError } from './client-error.ts'
import { createRequestIds } from './request-id.ts'
import { type AppParts, createResponder, type Responder } from './responder.ts'
import { type Route, routerPath, routesOf, shadowedRoutes } from './route-table.ts'
import { createUnrouted } from './unrouted.ts'
import { withinWorld } from './world-path.ts'

/** The same for every application of the process. */
const routes = routesOf()
const shadowed = shadowedRoutes(routes)
const decide = createUnrouted(routes)

/** How often slow connections are looked for, in milliseconds: Node's own default is half a minute. */
const slowCheckInterval = 500

/** Longer than any path that fits its patterns; longer ones are refused by those. */
const longestParameter = 8192

/**
 * Builds the HTTP application: a route for each operation of the specification in each generation, everything
 * else answered by name.
 */
export function createApp(parts: AppParts): FastifyInstance {
  const { options } = parts
  const app = Fastify({
    logger: false,
    ...(options.sandbox ? { rewriteUrl: withinWorld } : {}),
    genReqId: createRequestIds(),
    requestIdHeader: false,
    exposeHeadRoutes: false,
    // Requests on open connections are finished while stopping, not refused.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: options.requestTimeout,
    http: {
      headersTimeout: Math.min(options.headersTimeout, options.requestTimeout),
      connectionsCheckingInterval: Math.min(slowCheckInterval, options.requestTimeout),
      // Node's own refusal has no body; ours is in `requireWellFormed`.
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: longestParameter, querystringParser: () => ({}) },
    clientErrorHandler: answerClientError,
    frameworkErrors: (_, request, reply) => {
      const detail = 'The path is not percent-encoded UTF-8.'
      responder.refuse(problem('VALIDATION_ERROR', { detail, parameters: ['path'] }), request, reply)
    },
  })
  const responder = createResponder(parts, portOf(app))
  // RFC 9110 §10.1.1 lets a server pass over an expectation that it does not know; Node would answer 417.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.addHook('onRequest', async ({ raw }) => requireWellFormed(raw))
  addRoutes(app, parts, responder)
  addUnrouted(app, responder)
  app.addHook('onResponse', async (request, reply) => responder.observe(request, reply))
  if (parts.inspect) addInspection(app, parts.inspect)
  app.setErrorHandler((error, request, reply) => responder.refuse(error, request, reply))
  return app
}

/** What Node's parser lets through although RFC 9112 does not (§3.2: `Host`, and no fragment in a target). */
function requireWellFormed({ url = '', headers, httpVersion }: IncomingMessage): void {
  if (headers.host === undefined && httpVersion === '1.1') {
    throw problem('VALIDATION_ERROR', { detail: 'The request has no Host.', parameters: ['Host'] })
  }
  if (url.includes('#')) {
    throw problem('VALIDATION_ERROR', {
      detail: 'The request target holds a fragment.',
      parameters: ['path'],
    })
  }
}

function addRoutes(app: FastifyInstance, { operations }: AppParts, responder: Responder): void {
  for (const route of routes) {
    const operation = operations.get(route.row.id)
    if (!operation) throw new Error(`${route.row.id} has no file`)
    addRoute(app, route, operation, responder)
  }
}

function addRoute(
  app: FastifyInstance,
  route: Route,
  operation: OperationModule,
  responder: Responder,
): void {
  app.route<{ Params: Record<string, string> }>({
    method: route.row.method,
    url: routerPath(route.path),
    // Answered before Fastify reads the body: it would refuse a media type before we know who asks.
    onRequest: (request, reply) => responder.serve(route, operation, request.params, request, reply),
    handler: unreachable,
  })
}

function addUnrouted(app: FastifyInstance, responder: Responder): void {
  for (const { method, path } of shadowed) {
    const onRequest = (request: FastifyRequest, reply: FastifyReply) =>
      responder.unrouted(decide, request, reply)
    app.route({ method, url: routerPath(path), onRequest, handler: unreachable })
  }
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) return responder.unrouted(decide, request, reply)
  })
  app.setNotFoundHandler((request, reply) => responder.unrouted(decide, request, reply))
}

function addInspection(app: FastifyInstance, inspect: NonNullable<AppParts['inspect']>): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const { method } = request
    const body = Buffer.isBuffer(payload) ? payload.toString('utf8') : String(payload ?? '')
    const target = request.raw.url ?? ''
    inspect({ method, target, status: reply.statusCode, headers: reply.getHeaders(), body })
    return payload
  })
}

async function unreachable(): Promise<never> {
  throw new Error('Every route is answered before its handler')
}

/** The port that the application listens on, looked up once: links ask for it with every request. */
function portOf(app: FastifyInstance): () => number | undefined {
  let known: number | undefined
  return () => {
    const address = known === undefined ? app.server.address() : null
    if (typeof address === 'object' && address !== null) known = address.port
    return known
  }
}

import type { IncomingMessage, RequestListener, Server } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { problem } from '../domain/problem.ts'
import type { ServerOptions } from '../options.ts'
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
    /** What people are shown whose address leads nowhere, where there is documentation. */
    missingPage: ((request: FastifyRequest, reply: FastifyReply) => FastifyReply) | undefined
    /** Paths beside the API that can be read and nothing else. */
    readOnly: Set<string>
  }
}

/** The same for every application of the process. */
const route = createRouter(routesOf())

/**
 * Builds the HTTP application: what the specification has is answered here, straight from Node; what a server has
 * besides (health, metrics, documentation) by Fastify; and what is nowhere by name.
 */
export function createApp(parts: AppDependencies): FastifyInstance {
  const calls = new WeakMap<IncomingMessage, Call>()
  const nextId = createRequestIds()
  let stopping = false
  const answer = (elsewhere: RequestListener): RequestListener => {
    return (request, response) => {
      const call = createCall(nextId(), request, response, parts.options.sandbox)
      try {
        if (hasUnsupportedTransferCoding(request)) return responder.rejectTransferCoding(call)
        requireWellFormed(request)
        // Whatever is asked of it: of a misspelt world nothing may look well.
        if (parts.options.sandbox) requireWorld(call, parts.worldOf)
        const routed = route(call.method, call.path)
        if (routed) return responder.response(routed, call)
      } catch (error) {
        return responder.reject(error, call)
      }
      calls.set(request, call)
      request.url = call.search === '' ? call.path : `${call.path}?${call.search}`
      elsewhere(request, response)
    }
  }
  const app = Fastify({
    logger: false,
    schemaController: withoutSchemas,
    requestIdHeader: false,
    exposeHeadRoutes: false,
    // Requests on open connections are finished while stopping, not refused.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { querystringParser: () => ({}) },
    clientErrorHandler: (error, socket) => {
      const refusal = respondToClientError(error, socket, nextId())
      if (refusal) responder.observeClientError(refusal)
    },
    serverFactory: (elsewhere) => serverOver(parts.options, answer(elsewhere)),
    // What cannot be read is the path of nothing.
    frameworkErrors: (_, request, reply) => refuse(unknownPath(), request, reply),
  })
  const responder = createResponder(parts, { port: portOf(app), stopping: () => stopping })
  const refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const call = calls.get(request.raw)
    if (!call) throw error
    reply.hijack()
    responder.reject(error, call)
  }
  app.decorate('missingPage', undefined)
  app.decorate('readOnly', new Set<string>())
  app.addHook('preClose', async () => {
    stopping = true
  })
  // Before Fastify reads the body, about which it would have words of its own.
  app.addHook('onRequest', async (request, reply) => {
    const call = calls.get(request.raw)
    if (call) reply.header('x-request-id', call.id)
    if (!request.is404) return
    if (!call || !app.readOnly.has(call.path)) return refuse(unknownPath(), request, reply)
    reply.hijack()
    responder.response(
      { kind: request.method === 'OPTIONS' ? 'options' : 'refused', allow: allowOfPage },
      call,
    )
  })
  app.addHook('onResponse', async (request) => observeOnce(responder, calls.get(request.raw)))
  app.setErrorHandler(refuse)
  app.setNotFoundHandler((request, reply) => {
    const { missingPage: page } = app
    if (!page || !acceptsHtml(request)) return refuse(unknownPath(), request, reply)
    page(request, reply.code(404))
  })
  return app
}

/** Whether somebody looks for a page, and not for a resource of the API. */
const acceptsHtml = ({ method, url, headers: { accept = '' } }: FastifyRequest): boolean =>
  method === 'GET' && !url.startsWith('/api/') && accept.includes('text/html')

const allowOfPage = 'GET, HEAD, OPTIONS'

const unknownPath = () => problem('RESOURCE_NOT_FOUND', { detail: 'The path is not one of the API.' })

function observeOnce(responder: Responder, call: Call | undefined): void {
  if (call) responder.observe(call)
}

function serverOver(options: ServerOptions, listener: RequestListener): Server {
  // RFC 9110 §10.1.1 lets a server pass over an expectation that it does not know; Node would answer 417.
  return createNodeServer(options, listener).on('checkExpectation', listener)
}

/** What Node's parser lets through although RFC 9112 §3.2 does not: a fragment in a target too. */
function requireWellFormed(request: IncomingMessage): void {
  requireHost(request)
  if (request.url?.includes('#')) {
    throw problem('VALIDATION_ERROR', {
      detail: 'The request target holds a fragment.',
      parameters: ['path'],
    })
  }
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

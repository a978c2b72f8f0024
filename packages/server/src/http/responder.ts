import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OperationModule } from '../operations/operation.ts'
import type { OperationRegistry } from '../operations/registry.ts'
import type { ServerOptions } from '../options.ts'
import type { World } from '../world/world.ts'
import { createBaseUrl } from './base-url.ts'
import { type Exchange, nobody, nowhere } from './exchange.ts'
import type { Log } from './log.ts'
import { isUnexpected, pipelines, run } from './pipeline.ts'
import { type RenderedProblem, renderProblem, toProblem } from './problem-body.ts'
import { queryOf, shapeFlags } from './query-string.ts'
import { ClientGone } from './read-body.ts'
import type { Route } from './route-table.ts'
import { type createUnrouted, unroutedProblem } from './unrouted.ts'

/** What the HTTP layer stands on. */
export interface AppParts {
  readonly options: ServerOptions
  readonly operations: OperationRegistry
  readonly log: Log
  /** The world that a request belongs to. */
  readonly worldOf: (request: FastifyRequest) => World
  /** Shown every answer on its way out, for tests that check it against the documents. */
  readonly inspect?: (answer: SentAnswer) => void
}

/** What is known of a request once it is answered. */
interface RequestEntry {
  readonly requestId: string
  readonly method: string
  /** Without the query, which may hold what should not be read by others. */
  readonly path: string
  readonly operationId: string | undefined
  readonly status: number
  readonly milliseconds: number
  /** Public key or client id of the caller. */
  readonly principal: string | undefined
  readonly address: string
}

/** An answer as a caller gets it. */
export interface SentAnswer {
  readonly method: string
  readonly target: string
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

type Unroute = ReturnType<typeof createUnrouted>

/** Answers requests: the one place where exchanges, answers and failures meet HTTP. */
export interface Responder {
  serve(
    route: Route,
    operation: OperationModule,
    path: Readonly<Record<string, string>>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply>
  unrouted(decide: Unroute, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
  refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply
  observe(request: FastifyRequest, reply: FastifyReply): void
}

export function createResponder(parts: AppParts, port: () => number | undefined): Responder {
  const { options, log } = parts
  const baseUrl = createBaseUrl(options.publicUrl, options.host, port)
  const served = new WeakMap<FastifyRequest, Exchange>()

  const begin = async (
    route: Route,
    path: Readonly<Record<string, string>>,
    request: FastifyRequest,
  ): Promise<Exchange> => {
    const world = parts.worldOf(request)
    const exchange = newExchange(request, route, path, {
      world,
      options,
      baseUrl: baseUrl(request.headers.host),
      now: await world.clock.now(),
    })
    served.set(request, exchange)
    return exchange
  }

  const fail = (error: unknown, rendered: RenderedProblem, request: FastifyRequest, reply: FastifyReply) => {
    if (error instanceof ClientGone) return reply.hijack()
    if (isUnexpected(error)) logUnexpected(log, request.id, error)
    return send(
      reply,
      rendered.status,
      {
        ...served.get(request)?.headers,
        ...rendered.headers,
        'content-type': 'application/json',
        'x-request-id': request.id,
      },
      rendered.body,
    )
  }

  const responder: Responder = {
    serve: async (route, operation, path, request, reply) => {
      const pipeline = pipelines[route.row.security]
      try {
        const exchange = await begin(route, path, request)
        const { status, contentType, body } = await run(pipeline, operation, exchange)
        const headers: Record<string, string> = { ...exchange.headers, 'x-request-id': request.id }
        if (body !== undefined) headers['content-type'] = contentType
        return send(reply, status, headers, body)
      } catch (error) {
        const shape = shapeOf(route, request)
        return fail(error, pipeline.refuse(error, { shape }), request, reply)
      }
    },
    unrouted: async (decide, request, reply) => {
      try {
        const outcome = decide(request.method, request.raw.url ?? '')
        if (outcome.kind === 'head') {
          const operation = parts.operations.get(outcome.route.row.id)
          if (operation) return responder.serve(outcome.route, operation, outcome.path, request, reply)
          throw new Error(`${outcome.route.row.id} has no file`)
        }
        if (outcome.kind !== 'options') throw unroutedProblem(outcome)
        return send(reply, 204, { allow: outcome.allow, 'x-request-id': request.id }, undefined)
      } catch (error) {
        return responder.refuse(error, request, reply)
      }
    },
    refuse: (error, request, reply) => {
      const rendered = renderProblem(toProblem(error), { envelope: false, pretty: false })
      return fail(error, rendered, request, reply)
    },
    observe: (request, reply) => {
      log.info('request', { ...entryOf(request, reply, served.get(request)) })
    },
  }
  return responder
}

function logUnexpected(log: Log, requestId: string, error: unknown): void {
  log.error('unexpected failure', { requestId, failure: String(error), stack: stackOf(error) })
}

interface Surroundings {
  readonly world: World
  readonly options: ServerOptions
  readonly baseUrl: string
  readonly now: number
}

function newExchange(
  request: FastifyRequest,
  route: Route,
  path: Readonly<Record<string, string>>,
  { world, options, baseUrl, now }: Surroundings,
): Exchange {
  return {
    id: request.id,
    raw: request.raw,
    route,
    world,
    options,
    baseUrl,
    address: request.raw.socket.remoteAddress ?? '',
    path,
    now,
    search: queryOf(request.raw.url ?? ''),
    shape: shapeOf(route, request),
    principal: nobody,
    version: route.versions[0],
    place: nowhere,
    query: noQuery,
    paging: unpaged,
    body: undefined,
    headers: {},
  }
}

const noQuery = {}
const unpaged = { limit: 0, offset: 0, counted: false }

/** An operation that does not document `pretty` takes it without effect, also on a refusal. */
function shapeOf({ row }: Route, request: FastifyRequest) {
  const flags = shapeFlags(queryOf(request.raw.url ?? ''))
  return { envelope: flags.envelope, pretty: flags.pretty && row.pretty }
}

function send(
  reply: FastifyReply,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
): FastifyReply {
  reply.code(status).headers({ ...headers })
  // As bytes: to a text Fastify would add a charset, which JSON does not have (RFC 8259 §11).
  return body === undefined ? reply.send() : reply.send(Buffer.from(body))
}

function entryOf(request: FastifyRequest, reply: FastifyReply, exchange: Exchange | undefined): RequestEntry {
  return {
    requestId: request.id,
    method: request.method,
    path: (request.raw.url ?? '').split('?')[0]?.slice(0, 500) ?? '',
    operationId: exchange?.route.row.id,
    status: reply.statusCode,
    milliseconds: Math.round(reply.elapsedTime * 1000) / 1000,
    principal: exchange?.principal.id || undefined,
    address: request.raw.socket.remoteAddress ?? '',
  }
}

const stackOf = (error: unknown): string | undefined => (error instanceof Error ? error.stack : undefined)

import type { FastifyReply, FastifyRequest } from 'fastify'
import { problem } from '../domain/problem.ts'
import { TokenProblem } from '../domain/token-problem.ts'
import { atPace } from '../domain/transition-pace.ts'
import type { OperationModule } from '../operations/operation.ts'
import type { OperationRegistry } from '../operations/registry.ts'
import type { ServerOptions } from '../options.ts'
import type { RequestEntry } from '../world/request-log.ts'
import type { World } from '../world/world.ts'
import { createBaseUrl } from './base-url.ts'
import { type Disturbed, disturb, sendCut, type Wait } from './disturb.ts'
import { type Exchange, nobody, nowhere } from './exchange.ts'
import type { Log, LogFields } from './log.ts'
import { isUnexpected, type Pipeline, pipelines, run } from './pipeline.ts'
import { type RenderedProblem, renderProblem, toProblem } from './problem-body.ts'
import { queryOf, shapeFlags } from './query-string.ts'
import { ClientGone } from './read-body.ts'
import type { Route } from './route-table.ts'
import type { Traced } from './tracing.ts'
import { type createUnrouted, unroutedProblem } from './unrouted.ts'
import { worldIdOf, worldPrefix } from './world-path.ts'

/** What the HTTP layer stands on. */
export interface AppParts {
  readonly options: ServerOptions
  readonly operations: OperationRegistry
  readonly log: Log
  /** The world of an id, and the one that has none. */
  readonly worldOf: (id: string | undefined) => World | undefined
  /** Follows a request where somebody traces, and otherwise only lets it be answered. */
  readonly traced: Traced
  readonly wait: Wait
  /** Shown every answer on its way out, for tests that check it against the documents. */
  readonly inspect?: (answer: SentAnswer) => void
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
  const { options, log, wait } = parts
  const baseUrl = createBaseUrl(options.publicUrl, options.host, port)
  const served = new WeakMap<FastifyRequest, Exchange>()

  const begin = async (
    route: Route,
    path: Readonly<Record<string, string>>,
    request: FastifyRequest,
  ): Promise<Exchange> => {
    const id = worldIdOf(request.originalUrl)
    const world = parts.worldOf(id)
    if (!world) throw problem('RESOURCE_NOT_FOUND', { detail: `There is no world ${id}.` })
    const { refresh } = world.sandbox?.transitions ?? {}
    if (refresh) await refresh()
    const exchange = newExchange(request, route, path, {
      world,
      options,
      baseUrl: baseUrl(request.headers.host) + (id === undefined ? '' : worldPrefix(id)),
      now: await world.clock.now(),
    })
    served.set(request, exchange)
    return exchange
  }

  const fail = (error: unknown, rendered: RenderedProblem, request: FastifyRequest, reply: FastifyReply) => {
    if (error instanceof ClientGone) return reply.hijack()
    const exchange = served.get(request)
    if (exchange) exchange.errorCode = codeOf(error)
    if (isUnexpected(error)) logUnexpected(log, request.id, error)
    return send(
      reply,
      rendered.status,
      {
        ...exchange?.headers,
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
        const work = () => answer({ pipeline, operation, wait }, exchange, request, reply)
        const outcome = await parts.traced(exchange, reply, work)
        // A connection that was cut tells nobody that the response is over.
        if (outcome === 'cut') responder.observe(request, reply)
        return reply
      } catch (error) {
        return fail(error, pipeline.refuse(error, { shape: shapeOf(route, request) }), request, reply)
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
    refuse: (error, request, reply) => fail(error, renderProblem(toProblem(error), plain), request, reply),
    observe: (request, reply) => {
      const exchange = served.get(request)
      log.info('request', lineOf(request, reply, exchange))
      keep(exchange, exchange?.world ?? parts.worldOf(undefined), request, reply)
    },
  }
  return responder
}

interface Answering {
  readonly pipeline: Pipeline
  readonly operation: OperationModule
  readonly wait: Wait
}

/** Asks the operation and sends what it answers, or as much of it as a fault of the sandbox lets through. */
async function answer(
  { pipeline, operation, wait }: Answering,
  exchange: Exchange,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<'sent' | 'cut'> {
  if ((await strike(exchange, request, reply, wait)) === 'ended') return 'cut'
  const { status, contentType, body } = await atPace(paceOf(exchange), () =>
    run(pipeline, operation, exchange),
  )
  const headers: Record<string, string> = { ...exchange.headers, 'x-request-id': request.id }
  if (body !== undefined) headers['content-type'] = contentType
  if (exchange.fault?.kind === 'cut') {
    sendCut(reply.code(status), status, headers, Buffer.from(body ?? ''), exchange.fault.bytes)
    return 'cut'
  }
  send(reply, status, headers, body)
  return 'sent'
}

/** Tells the request log and the metrics of its world. */
function keep(
  exchange: Exchange | undefined,
  world: World | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (exchange) world?.sandbox?.requests.add(entryOf(request, reply, exchange))
  world?.metrics?.observe({
    method: request.method,
    operation: exchange?.route.row.id ?? 'none',
    status: reply.statusCode,
    seconds: reply.elapsedTime / 1000,
  })
}

/** Lets go wrong what a sandbox was told to. */
async function strike(
  exchange: Exchange,
  request: FastifyRequest,
  reply: FastifyReply,
  wait: Wait,
): Promise<Disturbed> {
  exchange.fault = exchange.world.sandbox?.faults.strike(exchange.route.row.id)
  return exchange.fault ? disturb(exchange.fault, request, reply, wait) : 'goes on'
}

const paceOf = ({ world, route }: Exchange) => world.sandbox?.transitions.pace(route.row.method === 'GET')

function codeOf(error: unknown): string {
  return error instanceof TokenProblem ? error.code : toProblem(error).code
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
    target: request.originalUrl,
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
    fault: undefined,
    unread: nothing,
    errorCode: undefined,
    headers: {},
  }
}

const plain = { envelope: false, pretty: false }
const noQuery = {}
const nothing = () => []
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

/** A line of the log: no query, which may hold what should not be read by others, no header, no body. */
function lineOf(request: FastifyRequest, reply: FastifyReply, exchange: Exchange | undefined): LogFields {
  return {
    requestId: request.id,
    method: request.method,
    path: pathOf(request),
    operationId: exchange?.route.row.id,
    status: reply.statusCode,
    milliseconds: millisecondsOf(reply),
    principal: exchange?.principal.id || undefined,
    address: request.raw.socket.remoteAddress ?? '',
  }
}

function entryOf(request: FastifyRequest, reply: FastifyReply, exchange: Exchange): RequestEntry {
  const { now, route, version, principal, fault, errorCode, unread } = exchange
  return {
    requestId: request.id,
    at: new Date(now).toISOString(),
    method: request.method,
    path: pathOf(request),
    operationId: route.row.id,
    version: version.id,
    status: fault?.kind === 'reset' ? 0 : reply.statusCode,
    errorCode,
    milliseconds: millisecondsOf(reply),
    principal: principal.id || undefined,
    unread: unread(),
    fault: fault?.kind,
  }
}

const pathOf = ({ originalUrl }: FastifyRequest): string => originalUrl.split('?')[0]?.slice(0, 500) ?? ''
const millisecondsOf = ({ elapsedTime }: FastifyReply): number => Math.round(elapsedTime * 1000) / 1000

const stackOf = (error: unknown): string | undefined => (error instanceof Error ? error.stack : undefined)

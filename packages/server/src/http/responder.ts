import { problem } from '../domain/problem.ts'
import type { OperationModule } from '../operations/operation.ts'
import type { OperationRegistry } from '../operations/registry.ts'
import type { ServerOptions } from '../options.ts'
import type { Eventually } from '../persistence/dialects/dialect.ts'
import type { WorldTime } from '../world/clock.ts'
import type { World } from '../world/world.ts'
import { applyFault, type Wait } from './apply-fault.ts'
import { type BaseUrl, createBaseUrl } from './base-url.ts'
import { batchPerTick } from './batch-per-tick.ts'
import { type Call, sendResponse } from './call.ts'
import { type ClientAddress, createClientAddress } from './client-address.ts'
import { type ClientError, logClientError } from './client-error.ts'
import { createHelpUrl } from './help-url.ts'
import { observe } from './observe.ts'
import { type Pipeline, pipelines, run } from './pipeline.ts'
import { renderProblem, toProblem } from './problem-body.ts'
import { formatFlags } from './query-string.ts'
import { ClientGone } from './read-body.ts'
import { anonymous, noScope, type RequestContext } from './request-context.ts'
import type { Route } from './route-table.ts'
import type { FoundRoute, Routed } from './router.ts'
import { createSender, type ListenerState, type SenderDependencies } from './sender.ts'
import type { TlsContents } from './tls.ts'
import type { TraceRequest } from './tracing.ts'
import { worldIdOf, worldPrefix } from './world-path.ts'

export interface AppDependencies extends SenderDependencies {
  readonly options: ServerOptions
  readonly operations: OperationRegistry
  /** Returns the world with the given ID, or the main world if there is no ID. */
  readonly worldOf: (id: string | undefined) => World | undefined
  /** Processes a request, within a trace span if tracing is enabled. */
  readonly traceRequest: TraceRequest
  readonly wait: Wait
  /** The certificate and key, if the API uses HTTPS. */
  readonly tls?: TlsContents | undefined
}

/** Responds to requests. Connects the pipeline to Node's request and response objects. */
export interface Responder {
  /** Responds to an API request. */
  response(routed: Routed, call: Call): void
  reject(error: unknown, call: Call): void
  /**
   * Returns 501 because the request uses an unsupported transfer coding (RFC 9112 §6.1). The error catalog doesn't
   * contain this error.
   */
  rejectTransferCoding(call: Call): void
  /** Logs a request that Fastify processed, and adds it to the metrics. */
  observe(call: Call): void
  /** Logs a client error and adds it to the metrics. */
  observeClientError(refusal: ClientError): void
}

export function createResponder(parts: AppDependencies, listening: ListenerState): Responder {
  const { options, log } = parts
  const caller = createCallerFacts(options, listening)
  const observeAs = (call: Call, byApi: boolean) => {
    if (call.observed) return
    call.observed = true
    const world = call.context?.world ?? parts.worldOf(worldIdOf(call.target)) ?? parts.worldOf(undefined)
    observe(call, log, world, byApi)
  }
  const observeOnce = (call: Call) => observeAs(call, true)
  const helpUrl = createHelpUrl(options, caller.baseUrl)
  const { send, deliver, fail } = createSender({ ...parts, helpUrl }, listening, observeOnce)

  const runOperation = async (pipeline: Pipeline, operation: OperationModule, routedCall: RoutedCall) => {
    const { call } = routedCall
    const begun = begin(parts, caller, routedCall)
    const context = begun instanceof Promise ? await begun : begun
    const { world } = context
    context.fault = world.sandbox?.faults.trigger(context.route.row.id)
    if (context.fault) {
      if ((await applyFault(context.fault, call, world, parts.wait)) === 'ended') return observeOnce(call)
      // The delay simulates network latency, so the request counts as received only after the delay.
      // Read the world's time again after the delay.
      Object.assign(context, await world.clock.worldTime())
    }
    const { status, contentType, body } = await paced(context, () => run(pipeline, operation, context))
    const { headers } = context
    if (body !== undefined) headers['content-type'] = contentType
    deliver(call, status, headers, body)
  }

  const serve = async (routedCall: RoutedCall) => {
    const { call } = routedCall
    const { route } = routedCall.found
    const pipeline = pipelines[route.row.security]
    try {
      const operation = parts.operations.get(route.row.id)
      if (!operation) throw new Error(`${route.row.id} has no file`)
      await parts.traceRequest(route, call, () => runOperation(pipeline, operation, routedCall))
    } catch (thrown) {
      const error = isWorldGone(parts, call, thrown) ? unknownWorld(call) : thrown
      fail(error, (one) => pipeline.renderError(one, { format: formatOf(route, call) }), call)
    }
  }

  const enqueue = batchPerTick<RoutedCall>(serve)

  const responder: Responder = {
    response: (routed, call) => {
      if (routed.kind === 'route') {
        call.route = routed.route
        return enqueue({ found: routed, call })
      }
      const { allow } = routed
      if (routed.kind === 'options') return send(call, 204, { allow }, undefined)
      const detail = `The path supports ${allow}.`
      responder.reject(problem('METHOD_NOT_ALLOWED', { detail, headers: { allow } }), call)
    },
    reject: (error, call) => fail(error, (one) => renderProblem(toProblem(one), flagsOf(call)), call),
    rejectTransferCoding: (call) => {
      // Close the connection, because its remaining data can't be parsed.
      sendResponse(call, 501, { 'x-request-id': call.id, connection: 'close' }, undefined)
      observeOnce(call)
    },
    observe: (call) => observeAs(call, false),
    observeClientError: (refusal) => {
      logClientError(log, refusal)
      const { status } = refusal
      // OpenTelemetry uses `_OTHER` for unknown methods. The request's duration is unknown, so record 0 seconds.
      parts.worldOf(undefined)?.metrics?.observe({ method: '_OTHER', operation: 'none', status, seconds: 0 })
    },
  }
  return responder
}

/** Information about the caller of a request. */
interface CallerFacts {
  readonly baseUrl: BaseUrl
  readonly clientAddress: ClientAddress
}

const createCallerFacts = (options: ServerOptions, listening: ListenerState): CallerFacts => ({
  baseUrl: createBaseUrl(options, listening.port),
  clientAddress: createClientAddress(options.trustedProxies),
})

interface RoutedCall {
  readonly found: FoundRoute
  readonly call: Call
}

/** Creates a request's context. Returns synchronously if the clock and the transition modes are cached. */
function begin(
  { options, worldOf }: AppDependencies,
  { baseUrl, clientAddress }: CallerFacts,
  routedCall: RoutedCall,
): Eventually<RequestContext> {
  const { call } = routedCall
  const id = worldIdOf(call.target)
  const world = requireWorld(call, worldOf)
  const beginAt = (moment: WorldTime): RequestContext => {
    const base = baseUrl(call.request.headers.host)
    const context = newContext(routedCall, {
      world,
      options,
      baseUrl: id === undefined ? base : base + worldPrefix(id),
      address: clientAddress(call.request),
      moment,
    })
    call.context = context
    return context
  }
  const { refresh } = world.sandbox?.transitions ?? {}
  const moment = refresh ? refresh().then(() => world.clock.worldTime()) : world.clock.worldTime()
  return moment instanceof Promise ? moment.then(beginAt) : beginAt(moment)
}

/**
 * Returns the world that a request's path refers to.
 *
 * @throws {Problem} `RESOURCE_NOT_FOUND` if the world doesn't exist.
 */
export function requireWorld(call: Call, worldOf: AppDependencies['worldOf']): World {
  const world = worldOf(worldIdOf(call.target))
  if (!world) throw unknownWorld(call)
  return world
}

const unknownWorld = ({ target }: Call) =>
  problem('RESOURCE_NOT_FOUND', { detail: `No world with the ID ${worldIdOf(target)} exists.` })

/** Returns whether a request failed because its world has been deleted. */
function isWorldGone({ worldOf }: AppDependencies, { context, target }: Call, thrown: unknown): boolean {
  if (!context || thrown instanceof ClientGone) return false
  return worldOf(worldIdOf(target)) !== context.world
}

function paced<T>({ world, route }: RequestContext, work: () => Promise<T>): Promise<T> {
  return world.sandbox ? world.sandbox.transitions.run(route.row.method === 'GET', work) : work()
}

interface ContextOptions {
  readonly world: World
  readonly options: ServerOptions
  readonly baseUrl: string
  readonly address: string
  readonly moment: WorldTime
}

function newContext(
  { call, found: { route, path, undecoded } }: RoutedCall,
  { world, options, baseUrl, address, moment: { now, rewinds } }: ContextOptions,
): RequestContext {
  return {
    id: call.id,
    raw: call.request,
    target: call.target,
    route,
    world,
    options,
    baseUrl,
    address,
    path,
    undecoded,
    now,
    rewinds,
    search: call.search,
    format: formatOf(route, call),
    principal: anonymous,
    version: route.versions[0],
    scope: noScope,
    query: noQuery,
    paging: unpaged,
    body: undefined,
    fault: undefined,
    unread: nothingUnread,
    headers: {},
  }
}

const noQuery = {}
const noneUnread: readonly string[] = []
const nothingUnread = () => noneUnread
const unpaged = { limit: 0, page: 1, offset: 0, counted: false, linkTo: () => undefined }

const flagsOf = ({ search }: Call) => formatFlags(search)

/**
 * Returns the response format that the client has requested. If an operation doesn't document the `pretty` parameter,
 * the server accepts but ignores it, even in error responses.
 */
function formatOf({ row }: Route, call: Call) {
  const { envelope, pretty } = flagsOf(call)
  return { envelope, pretty: pretty && row.pretty }
}

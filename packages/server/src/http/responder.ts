import { problem } from '../domain/problem.ts'
import type { OperationModule } from '../operations/operation.ts'
import type { OperationRegistry } from '../operations/registry.ts'
import type { ServerOptions } from '../options.ts'
import type { Eventually } from '../persistence/dialects/dialect.ts'
import type { Moment } from '../world/clock.ts'
import type { World } from '../world/world.ts'
import { createBaseUrl } from './base-url.ts'
import { type Call, sendResponse } from './call.ts'
import { type ClientRefusal, logRefusal } from './client-error.ts'
import { disturb, type Wait } from './disturb.ts'
import { type Exchange, nobody, nowhere } from './exchange.ts'
import { observe } from './observe.ts'
import { type Pipeline, pipelines, run } from './pipeline.ts'
import { renderProblem, toProblem } from './problem-body.ts'
import { shapeFlags } from './query-string.ts'
import { ClientGone } from './read-body.ts'
import type { Route } from './route-table.ts'
import type { FoundRoute, Routed } from './router.ts'
import { createSending, type Listening, type SendingParts } from './sending.ts'
import type { Traced } from './tracing.ts'
import { createTurn } from './turn.ts'
import { worldIdOf, worldPrefix } from './world-path.ts'

/** What the HTTP layer stands on. */
export interface AppParts extends SendingParts {
  readonly options: ServerOptions
  readonly operations: OperationRegistry
  /** The world of an id, and the one that has none. */
  readonly worldOf: (id: string | undefined) => World | undefined
  /** Follows a request where somebody traces, and otherwise only lets it be answered. */
  readonly traced: Traced
  readonly wait: Wait
}

/** Answers requests: the one place where exchanges, answers and failures meet HTTP. */
export interface Responder {
  /** Answers what the router made of a path of the API. */
  response(routed: Routed, call: Call): void
  refuse(error: unknown, call: Call): void
  /** 501 for a transfer coding that the server does not undo (RFC 9112 §6.1); nothing in the catalogue is about that. */
  refuseCoding(call: Call): void
  /** Tells log and metrics of a call that was answered elsewhere. */
  observe(call: Call): void
  /** The same of what did not become a call. */
  observeRefusal(refusal: ClientRefusal): void
}

export function createResponder(parts: AppParts, listening: Listening): Responder {
  const { options, log } = parts
  const baseUrl = createBaseUrl(options.publicUrl, options.host, listening.port)
  const observeAs = (call: Call, byApi: boolean) => {
    if (call.observed) return
    call.observed = true
    const world = call.exchange?.world ?? parts.worldOf(worldIdOf(call.target)) ?? parts.worldOf(undefined)
    observe(call, log, world, byApi)
  }
  const observeOnce = (call: Call) => observeAs(call, true)
  const { send, deliver, fail } = createSending(parts, listening, observeOnce)

  /** Asks the operation and sends what it answers. */
  const ask = async (pipeline: Pipeline, operation: OperationModule, exchange: Exchange, call: Call) => {
    const { world } = exchange
    exchange.fault = world.sandbox?.faults.strike(exchange.route.row.id)
    if (exchange.fault) {
      if ((await disturb(exchange.fault, call, world, parts.wait)) === 'ended') return observeOnce(call)
      // Held up on its way, it has not been looked at yet: the world may be another by now.
      Object.assign(exchange, await world.clock.moment())
    }
    const { status, contentType, body } = await paced(exchange, () => run(pipeline, operation, exchange))
    const { headers } = exchange
    if (body !== undefined) headers['content-type'] = contentType
    deliver(call, status, headers, body)
  }

  const serve = async (asked: Asked) => {
    const { call } = asked
    const { route } = asked.found
    const pipeline = pipelines[route.row.security]
    try {
      const operation = parts.operations.get(route.row.id)
      if (!operation) throw new Error(`${route.row.id} has no file`)
      await parts.traced(route, call, async () => {
        const begun = begin(parts, baseUrl, asked)
        const exchange = begun instanceof Promise ? await begun : begun
        await ask(pipeline, operation, exchange, call)
      })
    } catch (thrown) {
      const error = isWorldGone(parts, call, thrown) ? unknownWorld(call) : thrown
      fail(error, (one) => pipeline.refuse(one, { shape: shapeOf(route, call) }), call)
    }
  }

  const atEndOfTurn = createTurn<Asked>(serve)

  const responder: Responder = {
    response: (routed, call) => {
      if (routed.kind === 'route') {
        call.route = routed.route
        return atEndOfTurn({ found: routed, call })
      }
      const { allow } = routed
      if (routed.kind === 'options') return send(call, 204, { allow }, undefined)
      const detail = `The path offers ${allow}.`
      responder.refuse(problem('METHOD_NOT_ALLOWED', { detail, headers: { allow } }), call)
    },
    refuse: (error, call) => fail(error, (one) => renderProblem(toProblem(one), flagsOf(call)), call),
    refuseCoding: (call) => {
      // What follows may be anything.
      sendResponse(call, 501, { 'x-request-id': call.id, connection: 'close' }, undefined)
      observeOnce(call)
    },
    observe: (call) => observeAs(call, false),
    observeRefusal: (refusal) => {
      logRefusal(log, refusal)
      const { status } = refusal
      // What OpenTelemetry calls a method that is not known. How long it took, nobody has measured.
      parts.worldOf(undefined)?.metrics?.observe({ method: '_OTHER', operation: 'none', status, seconds: 0 })
    },
  }
  return responder
}

/** A call, and the route that was found for it. */
interface Asked {
  readonly found: FoundRoute
  readonly call: Call
}

/** At once where the time is known and nobody else can change the modes of the world. */
function begin(
  { options, worldOf }: AppParts,
  baseUrl: ReturnType<typeof createBaseUrl>,
  asked: Asked,
): Eventually<Exchange> {
  const { call } = asked
  const id = worldIdOf(call.target)
  const world = requireWorld(call, worldOf)
  const beginAt = (moment: Moment): Exchange => {
    const base = baseUrl(call.request.headers.host)
    const exchange = newExchange(asked, {
      world,
      options,
      baseUrl: id === undefined ? base : base + worldPrefix(id),
      moment,
    })
    call.exchange = exchange
    return exchange
  }
  const { refresh } = world.sandbox?.transitions ?? {}
  const moment = refresh ? refresh().then(() => world.clock.moment()) : world.clock.moment()
  return moment instanceof Promise ? moment.then(beginAt) : beginAt(moment)
}

/** The world that a call is for. @throws {Problem} `RESOURCE_NOT_FOUND` for one that there is not. */
export function requireWorld(call: Call, worldOf: AppParts['worldOf']): World {
  const world = worldOf(worldIdOf(call.target))
  if (!world) throw unknownWorld(call)
  return world
}

const unknownWorld = ({ target }: Call) =>
  problem('RESOURCE_NOT_FOUND', { detail: `There is no world ${worldIdOf(target)}.` })

/** Whether a request failed because its world was removed under it, and its database with it. */
function isWorldGone({ worldOf }: AppParts, { exchange, target }: Call, thrown: unknown): boolean {
  if (!exchange || thrown instanceof ClientGone) return false
  return worldOf(worldIdOf(target)) !== exchange.world
}

function paced<T>({ world, route }: Exchange, work: () => Promise<T>): Promise<T> {
  return world.sandbox ? world.sandbox.transitions.during(route.row.method === 'GET', work) : work()
}

interface Surroundings {
  readonly world: World
  readonly options: ServerOptions
  readonly baseUrl: string
  readonly moment: Moment
}

function newExchange(
  { call, found: { route, path, undecoded } }: Asked,
  { world, options, baseUrl, moment: { now, turns } }: Surroundings,
): Exchange {
  return {
    id: call.id,
    raw: call.request,
    target: call.target,
    route,
    world,
    options,
    baseUrl,
    address: call.request.socket.remoteAddress ?? '',
    path,
    undecoded,
    now,
    turns,
    search: call.search,
    shape: shapeOf(route, call),
    principal: nobody,
    version: route.versions[0],
    scope: nowhere,
    query: noQuery,
    paging: unpaged,
    body: undefined,
    fault: undefined,
    unread: nothing,
    headers: {},
  }
}

const noQuery = {}
const noneUnread: readonly string[] = []
const nothing = () => noneUnread
const unpaged = { limit: 0, page: 1, offset: 0, counted: false, linkTo: () => undefined }

const flagsOf = ({ search }: Call) => shapeFlags(search)

/** An operation that does not document `pretty` takes it without effect, also on a refusal. */
function shapeOf({ row }: Route, call: Call) {
  const { envelope, pretty } = flagsOf(call)
  return { envelope, pretty: pretty && row.pretty }
}

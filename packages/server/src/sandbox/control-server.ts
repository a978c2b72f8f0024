import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Problem, problem } from '../domain/problem.ts'
import { logClientError, respondToClientError } from '../http/client-error.ts'
import { hostnameOf, isLoopback, requireHost } from '../http/host.ts'
import type { Log } from '../http/log.ts'
import { createNodeServer } from '../http/node-server.ts'
import type { OutageLog } from '../http/outage-log.ts'
import { type RenderedProblem, renderProblem, toProblem } from '../http/problem-body.ts'
import { defaultFormat, queryOf } from '../http/query-string.ts'
import { hasUnsupportedTransferCoding } from '../http/read-body.ts'
import { createRequestIds } from '../http/request-id.ts'
import type { ClientTimeouts } from '../http/slow-clients.ts'
import { parseStrictJson } from '../http/strict-json.ts'
import { withoutSchemas } from '../http/without-schemas.ts'
import { withinWorld, worldIdOf, worldPrefix } from '../http/world-path.ts'
import { ClosedError } from '../persistence/database.ts'
import { retryAfterRewind } from '../world/fenced-world.ts'
import type { World } from '../world/world.ts'
import { controlActions, healthAction, replacingActions } from './control.ts'
import type { ControlAction, ControlContext } from './control-action.ts'
import { faultActions } from './control-faults.ts'
import { addPage } from './control-page.ts'
import { ControlInputError, fieldsOf, text } from './fields.ts'
import { type CheckRequest, createRequestCheck } from './request-check.ts'
import { mainWorld, type NamedWorld, type Worlds } from './worlds.ts'

export interface ControlParts {
  readonly worlds: Worlds
  readonly log: Log
  readonly outages: OutageLog
  readonly patience: ClientTimeouts
  /** Sends a world's due webhooks and returns the number of attempts. */
  readonly deliver: (world: World) => Promise<number>
  /** The URLs of the API and the control interface. */
  readonly addresses: () => { readonly url: string; readonly controlUrl: string }
  /** Called after every change, because any change can make webhooks due. */
  readonly changed: () => void
  readonly actions?: Readonly<Record<string, ControlAction>>
}

const methods = ['GET', 'PUT', 'POST', 'DELETE'] as const

/** The maximum size of a request body, which is large enough to seed a large organization. */
const bodyLimit = 16 * 1024 * 1024

/**
 * Builds the control interface. The control interface has no authentication, so it listens only on loopback and rejects
 * requests from web pages. Requests from web pages have an `Origin` header, or a `Host` header with a different name
 * that resolves to this machine.
 */
export function createControlServer(parts: ControlParts): FastifyInstance {
  const { log, outages, actions = controlActions } = parts
  const nextId = createRequestIds()
  // Create the request check on first use, because most servers never use the control interface.
  let checkRequest: CheckRequest | undefined
  const check = () => {
    checkRequest ??= createRequestCheck()
    return checkRequest
  }
  const queryFor = (route: string, { originalUrl }: FastifyRequest) =>
    check().query(route, queryOf(originalUrl))
  const app = Fastify({
    logger: false,
    schemaController: withoutSchemas,
    exposeHeadRoutes: false,
    rewriteUrl: pathWithinWorld,
    bodyLimit,
    serverFactory: (listener) => createNodeServer(parts.patience, listener),
    clientErrorHandler: (error, socket) => {
      const refusal = respondToClientError(error, socket, nextId())
      if (refusal) logClientError(log, refusal)
    },
    frameworkErrors: ({ code }, _, reply) =>
      refuse(reply, renderProblem(unreadablePath(code), defaultFormat)),
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: FastifyRequest, body: Buffer) => body)
  app.addHook('onRequest', async (request, reply) => {
    if (hasUnsupportedTransferCoding(request.raw)) {
      const refusal = { requestId: nextId(), status: 501, code: 'TRANSFER_CODING', address: request.ip }
      logClientError(log, refusal)
      const headers = { 'x-request-id': refusal.requestId, connection: 'close' }
      return reply.code(refusal.status).headers(headers).send()
    }
    requireHost(request.raw)
    if (!isLocal(request)) throw notLocal()
  })
  for (const [route, act] of Object.entries(actions)) {
    const [name, url] = route.split(' ')
    const method = methods.find((one) => one === name)
    if (!method || !url) throw new Error(`'${route}' is not a method and a path`)
    app.route({
      method,
      url,
      handler: async (request, reply) => {
        const named = worldOf(parts.worlds, request)
        const { world } = named
        const body = bodyOf(request.body)
        const query = queryFor(route, request)
        check().body(route, body)
        const means = meansOf(parts, named, request, query)
        const asked = (held: World) => paced(held, () => act(held, body, means))
        const response = await (withoutDatabase.has(route)
          ? act(world, body, means)
          : method === 'GET' || replacingActions.has(route)
            ? asked(world)
            : retryAfterRewind(world, asked))
        if (method !== 'GET') parts.changed()
        return reply.header('content-type', 'application/json').send(JSON.stringify(response))
      },
    })
  }
  addPage(app, (route, request) => {
    queryFor(route, request)
    return worldOf(parts.worlds, request).world
  })
  const notFound = problem('RESOURCE_NOT_FOUND', { detail: offered(actions) })
  app.setNotFoundHandler((_, reply) => refuse(reply, renderProblem(notFound, defaultFormat)))
  app.setErrorHandler((error, _, reply) => {
    const rendered = refusalOf(error)
    if (!outages.report(error) && rendered.status >= 500)
      log.error('control interface failed', { failure: String(error) })
    return refuse(reply, rendered)
  })
  return app
}

const notLocal = () =>
  problem('RESOURCE_NOT_FOUND', { detail: 'Not found. The control interface accepts local requests only.' })

/** The routes that work even when the database doesn't respond. */
const withoutDatabase: ReadonlySet<string> = new Set([healthAction, ...Object.keys(faultActions)])

async function paced<T>({ sandbox }: World, asked: () => Promise<T>): Promise<T> {
  if (!sandbox) return asked()
  await sandbox.transitions.refresh?.()
  return sandbox.transitions.run(false, asked)
}

const refuse = (reply: FastifyReply, { status, headers, body }: RenderedProblem): FastifyReply =>
  reply
    .code(status)
    .headers({ ...headers })
    .header('content-type', 'application/json')
    .send(body)

/** Creates the problem for a path error that Fastify detects before routing the request. */
function unreadablePath(code: string): Problem {
  const detail =
    code === 'FST_ERR_BAD_URL' ? 'The path must be percent-encoded UTF-8.' : 'A path segment is too long.'
  return problem('VALIDATION_ERROR', { detail, parameters: ['path'] })
}

/**
 * Returns the part of a path within a world. `/worlds/x` itself represents the world as a resource, and all paths below
 * `/worlds/x` belong to that world's control interface.
 */
function pathWithinWorld({ url = '/' }: IncomingMessage): string {
  return /^\/worlds\/[^/?]+\//.test(url) ? withinWorld(url) : url
}

function worldOf(worlds: Worlds, { originalUrl, raw }: FastifyRequest): NamedWorld {
  return worlds.find(originalUrl === raw.url ? mainWorld : (worldIdOf(originalUrl) ?? mainWorld))
}

function meansOf(
  parts: ControlParts,
  { world, id: worldId }: NamedWorld,
  request: FastifyRequest,
  query: ReadonlyMap<string, string>,
): ControlContext {
  const parameters = fieldsOf(request.params, 'The path')
  return {
    worlds: parts.worlds,
    worldId,
    deliver: () => parts.deliver(world),
    addressesOf: (id) => {
      const { url, controlUrl } = parts.addresses()
      const prefix = id === mainWorld ? '' : worldPrefix(id)
      return { url: url + prefix, controlUrl: controlUrl + prefix }
    },
    parameter: (name) => text(parameters, name),
    query: (name) => query.get(name),
  }
}

function bodyOf(body: unknown): unknown {
  return Buffer.isBuffer(body) && body.length > 0 ? parseStrictJson(body) : {}
}

/**
 * Returns whether a request comes from this machine. Checks the hostname, because other hostnames may also resolve to
 * this machine. Rejects requests from web pages, except the server's own page.
 */
function isLocal({ headers }: FastifyRequest): boolean {
  const { host = '', origin } = headers
  if (!isLoopback(hostnameOf(host))) return false
  if (origin !== undefined && origin !== `http://${host}`) return false
  // Browsers don't send an `Origin` header with cross-site GET requests.
  return ['none', 'same-origin'].includes(String(headers['sec-fetch-site'] ?? 'none'))
}

function offered(actions: Readonly<Record<string, ControlAction>>): string {
  return `Unknown action. The control interface supports ${Object.keys(actions).join(', ')}.`
}

function refusalOf(error: unknown): RenderedProblem {
  // This error occurs only if a world is removed while a request is running.
  // The main world is never removed and closes only after all requests have ended.
  if (error instanceof ClosedError) return renderProblem(worldGone(), defaultFormat)
  if (error instanceof ControlInputError) {
    return renderProblem(problem('VALIDATION_ERROR', { detail: `${error.message}.` }), defaultFormat)
  }
  if (!(error instanceof Problem) && isTooLarge(error))
    return renderProblem(problem('PAYLOAD_TOO_LARGE'), defaultFormat)
  return renderProblem(toProblem(error), defaultFormat)
}

const worldGone = () => problem('RESOURCE_NOT_FOUND', { detail: 'The world has been deleted.' })

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'statusCode' in error && error.statusCode === 413

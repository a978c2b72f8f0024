import type { IncomingMessage, ServerResponse } from 'node:http'
import { tokenEndpoint } from '@svc-admin/types'
import { hasBody, readJson, readText } from './body.ts'
import { Clock } from './clock.ts'
import { Digest } from './digest.ts'
import { type Holder, listsAddress, requireRole } from './holders.ts'
import { type Fault, handlers, Listed } from './operations.ts'
import { pageOf } from './paging.ts'
import { Problem } from './problem.ts'
import { formatOf, type Response, send } from './response.ts'
import { findRoute, type Route, rowOf } from './routes.ts'
import { checkBody, checkPath, parseQuery, type Query, readQuery } from './schemas.ts'
import { TokenError, Tokens } from './tokens.ts'
import { checkBodyType, deprecationHeaders, mediaTypeOf, negotiate } from './versions.ts'
import { World } from './world.ts'

const addressOf = ({ socket }: IncomingMessage): string =>
  (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '')

interface Target {
  /** The raw path. A URL parser would resolve `..` segments, which the server must reject as invalid identifiers. */
  readonly path: string
  readonly address: URL
}

const targetOf = ({ url = '/', headers: { host = '' } }: IncomingMessage): Target => {
  const [path = '', search = ''] = url.replace(/^https?:\/\/[^/?]*/i, '').split(/\?(.*)/s)
  const base = `http://${host}`
  const address = new URL(URL.canParse(base) ? new URL(base).origin : 'http://localhost')
  address.pathname = path
  address.search = search
  return { path, address }
}

/** Modules that may be missing while a server is under development. */
export type Module = 'versions' | 'schemas' | 'roles'

export interface Shortcomings {
  readonly fault?: Fault
  readonly without?: readonly Module[]
}

/** Serves the API. Checks requests in the order described in the error guide. */
export class Service {
  readonly clock = new Clock()
  readonly world = new World(this.clock)
  readonly digest = new Digest(() => this.clock.now())
  readonly tokens = new Tokens(() => this.clock.now())
  readonly #fault: Fault | undefined
  readonly #without: ReadonlySet<Module>

  constructor({ fault, without = [] }: Shortcomings = {}) {
    this.#fault = fault
    this.#without = new Set(without)
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = targetOf(request)
    const result = await this.#process(request, target).catch((error: unknown) => this.#failure(error))
    send(response, result, formatOf(target.address.searchParams))
    request.resume()
  }

  async #process(request: IncomingMessage, { path, address }: Target): Promise<Response> {
    const method = request.method ?? ''
    if (path === tokenEndpoint.path && method === 'POST') return await this.#issue(request)
    const route = findRoute(method, path)
    const holder = this.#authenticate(request)
    const version = this.#version(route, request)
    const checked = !this.#without.has('schemas')
    if (checked) checkPath(route.operation, version, route.path)
    this.#authorize(route, version, holder)
    const query = this.#query(route, version, address.searchParams)
    const acceptsBody = method === 'POST' || method === 'PUT' || method === 'PATCH'
    const body = acceptsBody ? await readJson(request) : undefined
    if (acceptsBody && checked) checkBody(route.operation, version, body)
    const result = handlers[route.operation.id]({
      world: this.world,
      version,
      holder,
      path: route.path,
      query,
      body,
      fault: this.#fault,
      address: (place) => `${address.origin}${route.prefix}${place}`,
    })
    return {
      status: rowOf(route, version)?.success ?? 200,
      mediaType: mediaTypeOf(version),
      body: result instanceof Listed ? pageOf(result, query, address) : result,
      headers: {
        ...(!this.#without.has('versions') && this.#versionHeaders(route, version, address)),
      },
    }
  }

  #authenticate(request: IncomingMessage): Holder {
    const { authorization = '' } = request.headers
    const [scheme = '', rest = ''] = authorization.split(/ +(.*)/s)
    let stale = false
    let holder: Holder | undefined
    if (scheme.toLowerCase() === 'digest') {
      const outcome = this.digest.check(rest, request.method ?? '', request.url ?? '')
      if ('holder' in outcome) holder = outcome.holder
      else stale = outcome.stale
    } else if (scheme.toLowerCase() === 'bearer') holder = this.tokens.check(rest.trim())
    if (!holder)
      throw new Problem('UNAUTHORIZED', 'Credentials are missing or invalid.', {
        headers: { 'WWW-Authenticate': this.digest.challenge(stale) },
      })
    const address = addressOf(request)
    if (listsAddress(holder.accessList, address)) return holder
    throw new Problem(
      'IP_NOT_ALLOWED',
      `The address ${address} is not on the access list for these credentials.`,
    )
  }

  #query(route: Route, version: string, query: URLSearchParams): Query {
    if (this.#without.has('schemas')) return parseQuery(route.operation, version, query).values
    return readQuery(route.operation, version, query)
  }

  #versionHeaders(route: Route, version: string, { origin, pathname }: URL): Record<string, string> {
    return {
      ...(route.generation !== 'v1.0' && { Vary: 'Accept' }),
      ...deprecationHeaders(route, version, `${origin}${pathname}`),
    }
  }

  #version(route: Route, request: IncomingMessage): string {
    if (this.#without.has('versions')) return route.versions.at(-1) ?? ''
    const now = new Date(this.clock.now())
    const version = negotiate(route, request.headers.accept, now)
    const type = request.headers['content-type']
    const needsBody = route.operation.method !== 'GET' && route.operation.method !== 'DELETE'
    if (needsBody && (hasBody(request) || type !== undefined)) checkBodyType(route, version, type, now)
    return version
  }

  #authorize(route: Route, version: string, holder: Holder): void {
    if (this.#fault === 'roles-ignored' || this.#without.has('roles')) return
    const { groupId } = route.path
    const needed = rowOf(route, version)?.roles ?? []
    requireRole(holder, needed, groupId, groupId === undefined ? undefined : this.world.projects.get(groupId))
  }

  async #issue(request: IncomingMessage): Promise<Response> {
    const form = new TextDecoder().decode(await readText(request))
    return {
      status: 200,
      mediaType: 'application/json',
      body: this.tokens.issue(request, form, addressOf(request)),
      headers: { 'Cache-Control': 'no-store', Pragma: 'no-cache' },
    }
  }

  #failure(error: unknown): Response {
    const mediaType = 'application/json'
    if (error instanceof Problem)
      return { status: error.status, mediaType, body: error.body(), headers: error.more.headers ?? {} }
    if (error instanceof TokenError) {
      const body = { error: error.code, error_description: error.message }
      return { status: error.status, mediaType, body, headers: error.headers }
    }
    console.error(error)
    const unexpected = new Problem('UNEXPECTED_ERROR', 'The server failed.')
    return { status: unexpected.status, mediaType, body: unexpected.body() }
  }
}

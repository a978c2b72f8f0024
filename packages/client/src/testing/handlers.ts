import type { Clients } from '#api'
import { allOperations } from '#tables/all-operations'
import { examples } from '#tables/examples'
import { versions } from '#tables/versions'
import type { OperationRow } from '../operation-row.ts'
import type { Page } from '../paginate.ts'
import { pageOf } from './page.ts'
import type { Responder, StubRequest } from './stub-fetch.ts'

/** A version's operations. */
export type OperationsOf<V extends keyof Clients> = {
  [Id in keyof Clients[V] as Clients[V][Id] extends (...args: never) => { withResponse(): unknown }
    ? Id
    : never]: Clients[V][Id]
}

/**
 * An operation's reply: a body, a `Response`, or a function that returns one of them. If the reply is a list, the stub
 * returns the requested page and adds `links`. If a function returns a list, the list isn't changed.
 */
export type Reply<T> =
  | WithoutLinks<T>
  | Response
  | ((request: HandledRequest) => T | Response | Promise<T | Response>)

/** A list with optional `links`. Types that aren't lists are unchanged. */
type WithoutLinks<T> = T extends { readonly results?: unknown; readonly links: infer Links }
  ? Omit<T, 'links'> & { readonly links?: Links }
  : T

/** A request for a known operation. */
export interface HandledRequest extends StubRequest {
  readonly operationId: string
  /** The version that the client expects. */
  readonly version: string
  readonly path: Readonly<Record<string, string>>
}

/** An operation's response type. */
export type DataOf<Operation> = Operation extends (...args: never) => PromiseLike<infer T> ? T : never

/** Replies by operation. The version determines the types of the replies. */
export type Replies<V extends keyof Clients> = {
  readonly [Id in keyof OperationsOf<V>]?: Reply<DataOf<OperationsOf<V>[Id]>> | undefined
}

/**
 * Returns a responder for every operation. The responder returns your reply or, if there is none, the specification's
 * first example. Lists are split into pages, as requested. Like the server, the responder returns 404 for unknown paths
 * and 406 for unknown versions.
 *
 * @example
 * const respond = createHandlers<'2024-05-30'>({ listMatcherFieldNames: ['CLUSTER_NAME'] })
 * const client = createClient({ ...options, version: '2024-05-30', fetch: createStubFetch(respond).fetch })
 */
export function createHandlers<V extends keyof Clients>(replies: Replies<V> = {}): Responder {
  const routes = [...allOperations].sort(literalsFirst).map((row) => ({ row, ...route(row) }))
  return async (request) => {
    const found = routes.find(
      ({ row, pattern }) => row.method === request.method && pattern.test(request.url.pathname),
    )
    if (!found) return createError(404, 'RESOURCE_NOT_FOUND')
    const { row, pattern } = found
    const version = negotiated(row, request)
    const example = version === undefined ? undefined : examples[row.id]?.[version]
    if (version === undefined || !example) return createError(406, 'NOT_ACCEPTABLE')
    const values = pattern.exec(request.url.pathname)?.groups ?? {}
    const path = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, decodeURIComponent(value)]),
    )
    const reply: unknown = Reflect.get(replies, row.id) ?? example.body
    const body =
      typeof reply === 'function'
        ? await reply({ ...request, operationId: row.id, version, path })
        : prepareReply(reply, row, request)
    if (body instanceof Response) return body
    if (!example.contentType) return new Response(null, { status: example.status })
    const headers = { 'content-type': example.contentType }
    return new Response(JSON.stringify(body), { status: example.status, headers })
  }
}

/**
 * Prepares a reply for repeated use. Responses are copied because a body can be read only once, and lists are split
 * into pages.
 */
function prepareReply(reply: unknown, { paged }: OperationRow, { url }: StubRequest): unknown {
  if (reply instanceof Response) return reply.clone()
  return paged ? pageOf(reply as Page, url) : reply
}

/** Sorts paths with a literal segment before paths with a parameter in the same position. */
function literalsFirst(a: OperationRow, b: OperationRow): number {
  const [first, second] = [a, b].map(({ path }) => path.replace(/\{\w+\}/g, '\uffff')) as [string, string]
  return first < second ? -1 : Number(first > second)
}

/** Matches an operation's path in both API generations, with a named group for each parameter. */
function route({ path, absolute }: OperationRow): { pattern: RegExp } {
  const prefixes = absolute ? [''] : [...new Set(Object.values(versions).map(([prefix]) => prefix))]
  const escaped = (text: string): string => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  const template = escaped(path).replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')
  return { pattern: new RegExp(`(?:${prefixes.map(escaped).join('|')})${template}$`) }
}

/** Returns the version that the path and the `Accept` header select. */
function negotiated(row: OperationRow, { url, headers }: StubRequest): string | undefined {
  const accept = headers.get('accept') ?? ''
  if (row.absolute) return row.versions[0]
  return row.versions.find((version) => {
    const [prefix, mediaType] = versions[version] ?? []
    return mediaType === accept && url.pathname.includes(`${prefix}/`)
  })
}

function createError(status: number, errorCode: string): Response {
  return Response.json({ error: status, errorCode, reason: errorCode, detail: 'no such example' }, { status })
}

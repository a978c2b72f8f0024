import type { Clients } from '#api'
import { allOperations } from '#tables/all-operations'
import { examples } from '#tables/examples'
import { versions } from '#tables/versions'
import type { OperationRow } from '../operation-row.ts'
import type { Page } from '../paginate.ts'
import { pageOf } from './page.ts'
import type { Responder, StubRequest } from './stub-fetch.ts'

/** The operations of a version, without what every client has besides them. */
type OperationsOf<V extends keyof Clients> = {
  [Id in keyof Clients[V] as Clients[V][Id] extends (...args: never) => { withResponse(): unknown }
    ? Id
    : never]: Clients[V][Id]
}

/**
 * What an operation answers with: its body, a whole response, or a function of the request that gives one. A body that is
 * a list is answered by the pages that are asked for; the answer of a function is not.
 */
export type Reply<T> = T | Response | ((request: HandledRequest) => T | Response | Promise<T | Response>)

/** A request that an operation was found for. */
export interface HandledRequest extends StubRequest {
  readonly operationId: string
  /** The resource version that was asked for. */
  readonly version: string
  readonly path: Readonly<Record<string, string>>
}

type AwaitedReply<Operation> = Operation extends (...args: never) => PromiseLike<infer T> ? Reply<T> : never

/** Replies by operation, typed by the version. */
export type Replies<V extends keyof Clients> = {
  readonly [Id in keyof OperationsOf<V>]?: AwaitedReply<OperationsOf<V>[Id]> | undefined
}

/**
 * Answers every operation with the first example of the specification, or with what is given for it here, lists by the
 * pages that are asked for. What no operation has is answered as the server does, with 404 and 406.
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
    if (!found) return refuse(404, 'RESOURCE_NOT_FOUND')
    const { row, pattern } = found
    const version = negotiated(row, request)
    const example = version === undefined ? undefined : examples[row.id]?.[version]
    if (version === undefined || !example) return refuse(406, 'NOT_ACCEPTABLE')
    const values = pattern.exec(request.url.pathname)?.groups ?? {}
    const path = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, decodeURIComponent(value)]),
    )
    const given: unknown = Reflect.get(replies, row.id) ?? example.body
    const body =
      typeof given === 'function'
        ? await given({ ...request, operationId: row.id, version, path })
        : unsent(given, row, request)
    if (body instanceof Response) return body
    if (!example.contentType) return new Response(null, { status: example.status })
    const headers = { 'content-type': example.contentType }
    return new Response(JSON.stringify(body), { status: example.status, headers })
  }
}

/** A reply that stands for every request: the body of a response is read once, and a list has pages. */
function unsent(given: unknown, { paged }: OperationRow, { url }: StubRequest): unknown {
  if (given instanceof Response) return given.clone()
  return paged ? pageOf(given as Page, url) : given
}

/** A path that names a segment is meant before one that has a parameter there. */
function literalsFirst(a: OperationRow, b: OperationRow): number {
  const [first, second] = [a, b].map(({ path }) => path.replace(/\{\w+\}/g, '\uffff')) as [string, string]
  return first < second ? -1 : Number(first > second)
}

/** A path of either generation, with a named group for each parameter. */
function route({ path, absolute }: OperationRow): { pattern: RegExp } {
  const prefixes = absolute ? [''] : [...new Set(Object.values(versions).map(([prefix]) => prefix))]
  const escaped = (text: string): string => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  const template = escaped(path).replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')
  return { pattern: new RegExp(`(?:${prefixes.map(escaped).join('|')})${template}$`) }
}

/** The version that the path and `Accept` ask for together. */
function negotiated(row: OperationRow, { url, headers }: StubRequest): string | undefined {
  const accept = headers.get('accept') ?? ''
  if (row.absolute) return row.versions[0]
  return row.versions.find((version) => {
    const [prefix, mediaType] = versions[version] ?? []
    return mediaType === accept && url.pathname.includes(`${prefix}/`)
  })
}

function refuse(status: number, errorCode: string): Response {
  return Response.json({ error: status, errorCode, reason: errorCode, detail: 'no such example' }, { status })
}

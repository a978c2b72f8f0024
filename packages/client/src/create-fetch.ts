import type { Version } from '#api'
import { allOperations } from '#tables/all-operations'
import { versions } from '#tables/versions'
import { systemClock } from './clock.ts'
import { type OnDeprecation, warnDeprecation, watchDeprecation } from './deprecation.ts'
import { withDefaults } from './environment.ts'
import { ApiError } from './errors.ts'
import { explain } from './explain.ts'
import { type ApiRequest, type CallContext, mergeHeaders } from './fetch.ts'
import type { OperationRow } from './operation-row.ts'
import type { TransportOptions } from './options.ts'
import { errorResponse, readBody } from './response.ts'
import { readBaseUrl } from './settings.ts'
import { keepClasses } from './status-errors.ts'
import { createTransport } from './transport.ts'
import type { BufferedResponse, TransportCall } from './transport-call.ts'
import { findVersion, resolveVersion, type VersionRow } from './version.ts'

/** Options for `createFetch`. */
export interface FetchOptions extends Omit<TransportOptions, 'parseJson'> {
  /** The version for requests without a dated `Accept` header. */
  readonly version: Version
  /** Called once for each deprecated operation and version. By default, the client logs a line to the console. */
  readonly onDeprecation?: OnDeprecation | undefined
}

/**
 * Creates a standard `fetch` for the API, which you can pass to any tool that accepts one. The returned
 * function adds the version's media types and the credentials (Digest, OAuth or a token), and handles
 * retries, rate limits and timeouts. As with any `fetch`, API errors are returned as responses.
 *
 * @example
 * const fetch = createFetch({ baseUrl: 'https://cloud.example.com', credentials, version: '2024-05-30' })
 * const response = await fetch('https://cloud.example.com/api/svc/v2/groups/64b7e1c20f3a5d6e7f809101/alerts')
 * @throws TypeError for options that `createClient` rejects. The returned function throws a `TypeError` if the version
 *   has no operation at the URL. The function throws a `ParseError` if the body of a successful response doesn't match
 *   the operation's response type. The function also throws `NetworkError`, `TimeoutError`, an aborted signal's reason,
 *   and `ApiError` if it can't get a token.
 */
export function createFetch(options: FetchOptions): typeof globalThis.fetch {
  keepClasses()
  const { clock = systemClock, version } = options
  resolveVersion({ id: 'the API', versions: Object.keys(versions) }, version)
  const warn: OnDeprecation = (notice) => warnDeprecation(notice, clock.now())
  const transport = createTransport(
    withDefaults(options),
    watchDeprecation(options.onDeprecation ?? warn),
    explain(options.credentials),
  )
  const routes = createRoutes(readBaseUrl(options.baseUrl), version)

  return async (input, init) => {
    const request = new Request(input, init)
    const { row, url } = findRoute(routes, request)
    const body = request.body ? await request.text() : undefined
    const call: TransportCall = {
      row,
      args: {},
      version: datedVersion(request.headers.get('accept')) ?? version,
      options: { signal: request.signal },
      parseJson: JSON.parse,
      build: (_row, _args, { headers, context }) => ({
        method: row.method,
        url,
        headers: headersOf(request, row, context, headers),
        body,
        context,
      }),
      // Without this check, tools would treat even an HTML page or another version's resource as the expected type.
      read: (own, context, received) => ({
        ...readBody(own, context, received),
        response: toResponse(received),
      }),
    }
    try {
      return (await transport(call)).response
    } catch (error) {
      // An error from the token endpoint isn't a response to this request.
      const received =
        error instanceof ApiError && error.operationId === row.id ? errorResponse(error) : undefined
      if (!received) throw error
      return toResponse(received)
    }
  }
}

/** An operation and a pattern for its URLs, without the query. */
interface Route {
  readonly row: OperationRow
  readonly url: RegExp
  /** The URL to use if the operation's path doesn't start with the generation's prefix. */
  readonly absolute: string | undefined
}

/**
 * Returns a version's operations. Paths without parameters come first so that `/alerts/summary` doesn't match
 * `/alerts/{id}`.
 */
function createRoutes(baseUrl: string, version: string): Route[] {
  const prefix = baseUrl + prefixOf(version)
  const here = allOperations.filter((row) => findVersion(row, version))
  return here
    .map((row) => {
      // Tools that have only one base URL also append `/api/oauth/token` to it, so the pattern accepts this URL.
      const starts = row.absolute ? [prefix, baseUrl] : [prefix]
      const path = escapeRegExp(row.path).replace(/\\\{\w+\\\}/g, '[^/]+')
      return {
        row,
        url: new RegExp(`^(?:${starts.map(escapeRegExp).join('|')})${path}$`),
        absolute: row.absolute ? baseUrl + row.path : undefined,
      }
    })
    .sort((one, other) => parameters(one.row) - parameters(other.row))
}

const parameters = ({ path }: OperationRow): number => path.split('{').length

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * Returns a version's path prefix. A version that isn't in the table must be a date, and only the newest generation has
 * dated versions.
 */
function prefixOf(version: string): string {
  const row = (versions[version] ?? Object.values(versions).at(-1)) as VersionRow
  return row[0]
}

function findRoute(routes: readonly Route[], { method, url }: Request): { row: OperationRow; url: string } {
  const [address = '', query] = (url.split('#')[0] ?? '').split(/\?(.*)/s)
  const found = routes.find((route) => route.row.method === method && route.url.test(address))
  if (!found)
    throw new TypeError(
      `${method} ${address} is not an operation in this version${suggest(routes, method, address)}`,
    )
  return { row: found.row, url: (found.absolute ?? address) + (query === undefined ? '' : `?${query}`) }
}

/** Suggests the operation with the most similar path, if there is one. */
function suggest(routes: readonly Route[], method: string, address: string): string {
  const rated = routes.map(({ row }) => {
    const parts = row.path.split('/')
    const given = address.split('/').slice(-parts.length)
    const distance = parts.reduce(
      (sum, part, index) => sum + (part.startsWith('{') ? 0 : editDistance(part, given[index] ?? '')),
      row.method === method ? 0 : 1,
    )
    return { name: `${row.method} ${row.path}`, distance }
  })
  const [nearest] = rated.sort((one, other) => one.distance - other.distance)
  return nearest && nearest.distance <= 3 ? `. Did you mean ${nearest.name}?` : ''
}

/** Returns the Levenshtein distance, which is the number of insertions, deletions and replacements. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (const [at, other] of [...to].entries()) {
      const replaced = (row[at] as number) + Number(letter !== other)
      next.push(Math.min(replaced, (row[at + 1] as number) + 1, (next[at] as number) + 1))
    }
    row = next
  }
  return row.at(-1) as number
}

/** Returns the date in a media type such as `application/vnd.svc.2024-05-30+json`. */
function datedVersion(mediaType: string | null): string | undefined {
  return /^\s*application\/vnd\.svc\.([\d-]+)\+json\s*(?:;|$)/i.exec(mediaType ?? '')?.[1]
}

/** Returns the request's headers, with the version's media types instead of the tool's defaults. */
function headersOf(
  { headers }: Request,
  row: OperationRow,
  context: CallContext,
  extra: readonly (Readonly<Record<string, string>> | undefined)[],
): ApiRequest['headers'] {
  const [, mediaType] = versions[context.version] as VersionRow
  const own = Object.fromEntries(headers)
  const { 'content-type': contentType } = own
  // If the tool doesn't set a content type, `Request` sets it to plain text.
  const isDefault = contentType !== undefined && /^(application\/json|text\/plain)\b/i.test(contentType)
  const [client] = extra
  return mergeHeaders({}, [
    client,
    own,
    { accept: row.accept ?? mediaType },
    isDefault ? { 'content-type': row.contentType ?? mediaType } : undefined,
  ])
}

/** Statuses of responses that have no body (fetch.spec.whatwg.org, "null body status"). */
const bodiless = new Set([204, 205, 304])

/**
 * Copies the received response. The body is already decoded, so the original length and content coding no longer apply.
 */
function toResponse({ response, text, url }: BufferedResponse): Response {
  const { status, statusText } = response
  const headers = new Headers(response.headers)
  headers.delete('content-encoding')
  headers.delete('content-length')
  // A gateway may send a status that the `Response` constructor rejects, such as 999.
  const isOdd = status < 200 || status > 599
  const init = { status: isOdd ? 500 : status, statusText, headers }
  const copy = new Response(bodiless.has(status) ? null : text, init)
  if (isOdd) Object.defineProperty(copy, 'status', { value: status })
  return Object.defineProperty(copy, 'url', { value: url })
}

import { deprecationHeaders } from '@svc-admin/spec'
import { problem } from '../../domain/problem.ts'
import { negotiateDated, requireMediaType, requirePlainJson, requireSameVersion } from '../negotiation.ts'
import { occurrences } from '../raw-headers.ts'
import { hasBody } from '../read-body.ts'
import type { RequestContext, Step } from '../request-context.ts'
import { operationRows, type Route, type RouteVersion } from '../route-table.ts'

/**
 * Selects the version and checks the body's media type. Returns 400, 406, 410 or 415 if the version or media type isn't
 * acceptable.
 */
export const negotiate: Step = {
  name: 'negotiate',
  run: (context) => {
    const { route } = context
    const today = dayOf(context.now)
    const dated = route.generation !== 'v1.0'
    // Set this header before any error occurs, because 406 responses also depend on `Accept` (RFC 9110 §12.5.5).
    if (dated) context.headers.vary = 'Accept'
    context.version = chooseVersion(context, dated, today)
    addDeprecationHeaders(context)
    rejectWithdrawn(context, today)
    if (context.version.hasBody) checkContentType(context, dated, today)
  },
}

const dayLength = 86_400_000
let known = { from: 0, day: '' }

/** Returns the date of a timestamp. The date is cached until the end of the day. */
function dayOf(now: number): string {
  if (known.day === '' || now < known.from || now >= known.from + dayLength) {
    known = { from: Math.floor(now / dayLength) * dayLength, day: new Date(now).toISOString().slice(0, 10) }
  }
  return known.day
}

function chooseVersion({ raw, route }: RequestContext, dated: boolean, today: string): RouteVersion {
  if (dated) return cachedVersion(raw.headers.accept ?? '', route, today)
  requirePlainJson(raw.headers.accept)
  return route.versions[0]
}

interface NegotiationCache {
  readonly day: string
  readonly byAccept: Map<string, RouteVersion>
  /** Maps each `Content-Type` header to a version. */
  readonly byContentType: Map<string, RouteVersion>
}

/**
 * The cached results for each route, which are valid for one day. Clients usually send the same `Accept` header with
 * every request.
 */
const caches = new WeakMap<Route, NegotiationCache>()
const cacheLimit = 100
/** The maximum length of cached headers, because longer headers would use too much memory. */
const longestCachedHeader = 256

function cacheOf(route: Route, today: string): NegotiationCache {
  const before = caches.get(route)
  if (before?.day === today) return before
  const fresh = { day: today, byAccept: new Map(), byContentType: new Map() }
  caches.set(route, fresh)
  return fresh
}

function cacheVersion(versions: Map<string, RouteVersion>, sent: string, version: RouteVersion): void {
  if (sent.length > longestCachedHeader) return
  if (versions.size >= cacheLimit) versions.clear()
  versions.set(sent, version)
}

function cachedVersion(accept: string, route: Route, today: string): RouteVersion {
  const { byAccept } = cacheOf(route, today)
  const before = byAccept.get(accept)
  if (before) return before
  const version = negotiateDated(accept, route.versions, today)
  cacheVersion(byAccept, accept, version)
  return version
}

function requireDated(
  contentType: string | undefined,
  { route, version }: RequestContext,
  today: string,
): void {
  const { byContentType } = cacheOf(route, today)
  if (contentType !== undefined && byContentType.get(contentType) === version) return
  requireSameVersion(contentType, version, route.versions, today)
  if (contentType !== undefined) cacheVersion(byContentType, contentType, version)
}

function checkContentType(context: RequestContext, dated: boolean, today: string): void {
  const { raw, version } = context
  const encoding = raw.headers['content-encoding']?.toLowerCase() ?? 'identity'
  if (encoding !== 'identity') {
    throw problem('UNSUPPORTED_MEDIA_TYPE', {
      detail: `The operation does not accept a body with the encoding ${encoding.slice(0, 100)}.`,
      parameters: ['Content-Encoding'],
    })
  }
  // `Content-Type` isn't a list, so a repeated header is ambiguous (RFC 9110 §5.3).
  if (occurrences(raw.rawHeaders, 'content-type') > 1) {
    throw problem('UNSUPPORTED_MEDIA_TYPE', {
      detail: 'The Content-Type header appears more than once.',
      parameters: ['Content-Type'],
    })
  }
  const contentType = raw.headers['content-type']
  // A request without a body has no media type to check. If a required body is missing, a later step reports the error.
  if (contentType === undefined && !hasBody(raw)) return
  if (dated) requireDated(contentType, context, today)
  else requireMediaType(contentType, version.requestMediaType ?? version.mediaType)
}

function rejectWithdrawn({ options, version }: RequestContext, today: string): void {
  const sunset = version.deprecation?.sunset
  if (!options.enforceSunset || sunset === undefined || today <= sunset) return
  throw problem('VERSION_GONE', {
    detail: `The operation is no longer available. Its sunset date was ${sunset}.`,
  })
}

function addDeprecationHeaders({ headers, version, baseUrl, route, path }: RequestContext): void {
  if (!version.deprecation) return
  const placeOf = (id: string) => {
    const row = Object.values(operationRows).find((one) => one.id === id)
    return row && ([baseUrl + (row.absolute ? '' : route.prefix), row.path] as const)
  }
  const api = baseUrl + route.prefix
  Object.assign(headers, deprecationHeaders(version.deprecation, { api, placeOf, values: path }))
}

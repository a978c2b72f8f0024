import { STATUS_CODES } from 'node:http'
import { errorCodes, limits } from '@svc-admin/types'
import {
  isArray,
  isObject,
  type Json,
  numberAt,
  objectAt,
  parseJson,
  stringAt,
} from '../src/document/json.ts'
import { flatten } from '../src/document/probes.ts'
import { loadApi } from '../src/model/api.ts'
import { errorResponse, jsonOf, mapJson, onResponse, queryOf, requestHeader, withStatus } from './mutant.ts'
import type { ProxiedRequest, Response } from './proxy.ts'
import { isTokenRequest, rateLimited, unlessPretty, type Variant } from './variant.ts'

/**
 * Returns whether a value exceeds every limit in the specification and every value that a run needs. The limits that we
 * chose ourselves are even higher.
 */
const isVast = (value: Json): boolean => {
  if (typeof value === 'number') return value > 2 ** 31 - 1
  if (typeof value === 'string') return value.length > limits.iamAssumedRoleArn.maxLength
  if (isArray(value) && value.length > limits.itemsPerPage.maximum) return true
  return typeof value === 'object' && value !== null && Object.values(value).some(isVast)
}

/**
 * The highest values that this server accepts in a query. Like any server, this server can have limits that the
 * specification doesn't mention. Page numbers must fit into a signed 32-bit integer, and times must be before the year
 * 2100.
 */
const vastInQuery: Readonly<Record<string, number>> = {
  pageNum: 2 ** 31 - 1,
  start: Date.UTC(2100, 0),
  end: Date.UTC(2100, 0),
}

const asksForVast = (request: ProxiedRequest): boolean =>
  Object.entries(vastInQuery).some(([name, most]) => Number(queryOf(request).get(name)) > most) ||
  Buffer.byteLength(request.body ?? '') > limits.body.bytes / 2 ||
  isVast(parseJson(request.body ?? '') ?? null)

/** Changes the status code of responses. If a response has an envelope, also changes the status in the envelope. */
const inStatus =
  (
    other: (status: number, request: ProxiedRequest) => number,
    adjust: (body: Json, status: number) => Json,
  ) =>
  () =>
  async (
    request: ProxiedRequest,
    forward: (request: ProxiedRequest) => Promise<Response>,
  ): Promise<Response> => {
    const response = await forward(request)
    if (isTokenRequest(request.path)) return response
    const body = jsonOf(response)
    const inner = request.path.includes('envelope=true') ? numberAt(body, 'status') : undefined
    const before = inner ?? response.status
    const after = other(before, request)
    if (after === before) return response
    // If an operation returns no body, its enveloped response has status 200. Only the status in the envelope changes.
    const outer = response.status === before ? withStatus(response, after) : response
    if (body === undefined) return outer
    const within = isObject(body) && inner !== undefined
    const enveloped =
      within && 'content' in body ? { ...body, content: adjust(body.content ?? null, after) } : body
    const changed = within ? { ...Object(enveloped), status: after } : adjust(body, after)
    const indent = request.path.includes('pretty=true') ? 2 : 0
    return { ...outer, body: JSON.stringify(changed, null, indent) + (indent > 0 ? '\n' : '') }
  }

const otherSuccesses: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  POST: { 200: 201, 201: 200, 202: 204 },
  PUT: { 200: 201 },
  PATCH: { 200: 202 },
  DELETE: { 204: 200, 200: 202 },
}

/** Replaces an error response with the error for the given code. */
const asStatus =
  (errorCode: string) =>
  (body: Json, status: number): Json =>
    isObject(body) ? { ...body, error: status, errorCode, reason: STATUS_CODES[status] ?? '' } : body

/** Returns whether an error code is our own choice. All other error codes come from the specification. */
const isDecidedCode = (code: string): boolean =>
  Object.entries(errorCodes).some(([id, { strength }]) => id === code && strength === 'decided')

const otherCode = (body: Json): Json => {
  if (!isObject(body)) return body
  if (isObject(body.content)) return { ...body, content: otherCode(body.content) }
  const code = stringAt(body, 'errorCode') ?? ''
  return isDecidedCode(code) ? { ...body, errorCode: `X_${code}` } : body
}

/** Changes the challenge in 401 responses, but only if the request used the given authorization scheme. */
const challengingWrong = (scheme: string, change: (challenge: string) => string) => () =>
  onResponse(
    ({ status }, request) =>
      status === 401 &&
      !isTokenRequest(request.path) &&
      (requestHeader(request, 'Authorization')?.startsWith(scheme) ?? false),
    (response) => ({
      ...response,
      headers: response.headers.map(([name, value]) =>
        name.toLowerCase() === 'www-authenticate' ? [name, change(value)] : [name, value],
      ),
    }),
  )()

export const linked = (change: (address: URL, path: string) => string) => () => {
  const inBody = (value: Json, path: string): Json => {
    if (isArray(value)) return value.map((element) => inBody(element, path))
    if (!isObject(value)) return value
    const { href, rel, ...rest } = value
    if (typeof href === 'string' && typeof rel === 'string')
      return { ...rest, rel, href: change(new URL(href), path) }
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, inBody(field, path)]))
  }
  return onResponse(
    (_, { path }) => !path.includes('pretty=true'),
    (response, { path }) => mapJson(response, (body) => inBody(body, path.replace(/\?.*/, ''))),
  )()
}

/** Converts a URL to a relative reference (RFC 3986 §4.2), relative to the path of the request. */
const relative = ({ pathname, search }: URL, path: string): string =>
  pathname === path && search !== '' ? search : pathname + search

/** Alternative names for states that the specification doesn't mention. */
const otherStates: Readonly<Record<string, string>> = {
  READY: 'ACTIVE',
  BUILDING: 'PREPARING',
  WORKING: 'SYNCING',
  SUCCESS: 'PASSED',
}

const withOtherStates = (value: Json): Json => {
  if (isArray(value)) return value.map(withOtherStates)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      name === 'status' && typeof field === 'string' ? (otherStates[field] ?? field) : withOtherStates(field),
    ]),
  )
}

/** The fields that an operation's request body can have in any version, keyed by method and path. */
const knownFields = loadApi().cells.flatMap(
  ({ operation: { method, path }, version, definition: { body } }) => {
    if (body === undefined) return []
    const pattern = new RegExp(`${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
    return [{ method, pattern, fields: objectAt(flatten(version.document, body.schema), 'properties') }]
  },
)

/** Removes request fields that no version of the operation defines. */
const withoutUnknown = (request: ProxiedRequest): ProxiedRequest => {
  const body = parseJson(request.body ?? '')
  const path = request.path.replace(/\?.*$/, '')
  const known = knownFields.filter(({ method, pattern }) => method === request.method && pattern.test(path))
  if (!isObject(body) || known.length === 0) return request
  const kept = Object.entries(body).filter(([name]) => known.some(({ fields }) => name in fields))
  return kept.length === Object.keys(body).length
    ? request
    : { ...request, body: JSON.stringify(Object.fromEntries(kept)) }
}

/** These variants deviate from our decisions where the specification doesn't define the behavior. */
export const decidedOtherwise: readonly Variant[] = [
  {
    name: 'only a Bearer challenge for an invalid token',
    warned: ['auth.unauthorized-carries-challenge'],
    make: challengingWrong('Bearer', () => 'Bearer realm="svc", error="invalid_token"'),
  },
  {
    name: 'no stale parameter for invalid credentials',
    warned: ['auth.unauthorized-carries-challenge'],
    make: challengingWrong('', (challenge) => challenge.replace(/, stale=false/, '')),
  },
  { name: 'relative links', warned: ['errors.body-valid'], make: linked(relative) },
  { name: '429 without Retry-After', warned: ['errors.retry-after'], make: rateLimited(undefined) },
  {
    name: 'different success statuses',
    warned: ['errors.success-status'],
    make: inStatus(
      (status, { method }) => otherSuccesses[method]?.[status] ?? status,
      (body) => body,
    ),
  },
  { name: 'different names for states', warned: 'where decided', make: unlessPretty(withOtherStates) },
  {
    name: 'ignored unknown fields',
    warned: 'where decided',
    make: () => (request, forward) => forward(withoutUnknown(request)),
  },
  { name: 'different error codes', warned: 'where decided', make: unlessPretty(otherCode) },
  {
    name: 'stricter limits than we decided',
    warned: ['parameters.bounds-accepted', 'bodies.bounds-accepted'],
    make: onResponse(
      ({ status }, request) => status < 300 && !isTokenRequest(request.path) && asksForVast(request),
      () => errorResponse(400, 'VALIDATION_ERROR', 'Bad Request'),
    ),
  },
  {
    name: '403 instead of 404',
    warned: 'where decided',
    make: inStatus((status) => (status === 404 ? 403 : status), asStatus('INSUFFICIENT_ROLE')),
  },
  {
    name: '404 instead of 403',
    warned: 'where decided',
    make: inStatus((status) => (status === 403 ? 404 : status), asStatus('RESOURCE_NOT_FOUND')),
  },
  {
    name: '400 instead of 409',
    warned: 'where decided',
    make: inStatus((status) => (status === 409 ? 400 : status), asStatus('VALIDATION_ERROR')),
  },
  {
    name: 'plain JSON rejected in v2, and links rejected in bodies',
    warned: ['bodies.read-only-ignored'],
    make: () => async (request, forward) => {
      if (
        request.path.includes('/v2/') &&
        requestHeader(request, 'Content-Type')?.startsWith('application/json')
      )
        return errorResponse(415, 'UNSUPPORTED_MEDIA_TYPE', 'Unsupported Media Type')
      const body = parseJson(request.body ?? '')
      return isObject(body) && 'links' in body
        ? errorResponse(400, 'VALIDATION_ERROR', 'Bad Request')
        : forward(request)
    },
  },
  {
    name: '422 instead of 400',
    warned: 'where decided',
    make: inStatus((status) => (status === 400 ? 422 : status), asStatus('VALIDATION_ERROR')),
  },
]

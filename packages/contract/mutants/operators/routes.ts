import type { OperationId } from '@svc-admin/types'
import { inScope, onOneGeneration } from '../../src/check/rule.ts'
import type { Cell } from '../../src/model/api.ts'
import { errorResponse, type MutantInput, onResponse, perCell, requestHeader, withHeader } from '../mutant.ts'
import type { ProxiedRequest, Response } from '../proxy.ts'

const notFound = errorResponse(404, 'RESOURCE_NOT_FOUND', 'Not Found')
const unauthorized = withHeader(
  errorResponse(401, 'UNAUTHORIZED', 'Unauthorized'),
  'WWW-Authenticate',
  'Digest realm="r", nonce="n", qop="auth", algorithm=MD5, stale=false',
)
const notAcceptable = errorResponse(406, 'NOT_ACCEPTABLE', 'Not Acceptable')
const invalid = errorResponse(400, 'VALIDATION_ERROR', 'Bad Request')
const forbidden = errorResponse(403, 'INSUFFICIENT_ROLE', 'Forbidden')

const isAnonymous = (request: ProxiedRequest): boolean =>
  requestHeader(request, 'Authorization') === undefined

const badAccept = (request: ProxiedRequest): boolean => requestHeader(request, 'Accept') === 'text/plain'

const badQuery = (request: ProxiedRequest): boolean => request.path.includes('noSuchParameter')

/** Returns whether the body has the wrong type: an array instead of an object, or an object instead of an array. */
const badBody = ({ body }: ProxiedRequest): boolean => body === '[]' || body === '{}'

const badPath = (request: ProxiedRequest): boolean => /\/(!|%21)(\/|\?|$)/.test(request.path)

interface Swap {
  readonly what: string
  readonly hint?: 'errors.unknown-path'
  /** The error that the server returns instead of the error with priority if a request has two errors. */
  readonly response: Response
  readonly concerns: (response: Response, request: ProxiedRequest) => boolean
  readonly reach?: 'path' | 'generation'
  readonly at?: (cell: Cell) => boolean
}

const hasBody = ({ row }: Cell): boolean => row.hasBody

const tierNotSupported = errorResponse(400, 'TIER_NOT_SUPPORTED', 'Bad Request')
const inProgress = errorResponse(409, 'SNAPSHOT_IN_PROGRESS', 'Conflict')
const policyActive = errorResponse(409, 'COMPLIANCE_POLICY_ACTIVE', 'Conflict')

const isOneOf =
  (...ids: readonly OperationId[]) =>
  ({ operation }: Cell): boolean =>
    ids.includes(operation.id)

const looksAtTier = isOneOf(
  'listAccessLogsByCluster',
  'listAccessLogsByHostname',
  'createFtsIndex',
  'createSearchIndex',
)

const hasPath = ({ operation }: Cell): boolean => operation.pathParameters.length > 0

const swaps: readonly Swap[] = [
  {
    what: 'authentication before route',
    response: unauthorized,
    concerns: ({ status }, request) => status === 404 && isAnonymous(request),
    reach: 'generation',
  },
  {
    what: 'authentication before method',
    response: unauthorized,
    concerns: ({ status }, request) => status === 405 && isAnonymous(request),
    reach: 'path',
  },
  {
    what: 'version before authentication',
    response: notAcceptable,
    concerns: ({ status }, request) => status === 401 && badAccept(request),
  },
  {
    what: 'path before authentication',
    response: invalid,
    concerns: ({ status }, request) => status === 401 && badPath(request),
    at: hasPath,
  },
  {
    what: 'query before authentication',
    response: invalid,
    concerns: ({ status }, request) => status === 401 && badQuery(request),
  },
  {
    what: 'path before version',
    response: invalid,
    concerns: ({ status }, request) => status === 406 && badPath(request),
    at: hasPath,
  },
  {
    what: 'query before version',
    response: invalid,
    concerns: ({ status }, request) => status === 406 && badQuery(request),
    at: ({ version }) => version.generation === 'v2',
  },
  {
    what: 'role before path',
    response: forbidden,
    concerns: ({ status }, request) => status === 400 && badPath(request),
    at: hasPath,
  },
  {
    what: 'query before role',
    response: invalid,
    concerns: ({ status }, request) => status === 404 && badQuery(request),
    at: (cell) => inScope(cell) === true,
  },
  {
    what: 'resource before query',
    response: notFound,
    concerns: ({ status }, request) => status === 400 && badQuery(request),
    at: ({ operation }) => operation.pathParameters.length > 1,
  },
  {
    what: 'body before authentication',
    response: invalid,
    concerns: ({ status }, request) => status === 401 && badBody(request),
    at: hasBody,
  },
  {
    what: 'body before version',
    response: invalid,
    concerns: ({ status }, request) => status === 406 && badBody(request),
    at: hasBody,
  },
  {
    what: 'body before role',
    response: invalid,
    concerns: ({ status }, request) => status === 404 && badBody(request),
    at: (cell) => hasBody(cell) && inScope(cell) === true,
  },
  {
    what: 'resource before body',
    response: notFound,
    concerns: ({ status }, request) => status === 400 && badBody(request),
    at: (cell) => hasBody(cell) && cell.operation.pathParameters.length > 1,
  },
  {
    what: 'tier before role',
    response: tierNotSupported,
    concerns: ({ status }) => status === 404,
    at: looksAtTier,
  },
  {
    what: 'tier before query',
    response: tierNotSupported,
    concerns: ({ status }, request) => status === 400 && badQuery(request),
    at: (cell) => looksAtTier(cell) && !hasBody(cell),
  },
  {
    what: 'tier before body',
    response: tierNotSupported,
    concerns: ({ status }, request) => status === 400 && badBody(request),
    at: (cell) => looksAtTier(cell) && hasBody(cell),
  },
  {
    what: 'state before role',
    response: inProgress,
    concerns: ({ status }) => status === 404,
    at: isOneOf('takeSnapshot'),
  },
  {
    what: 'state before body',
    response: inProgress,
    concerns: ({ status }, request) => status === 400 && badBody(request),
    at: isOneOf('takeSnapshot'),
  },
  {
    what: 'state before resource',
    response: policyActive,
    concerns: ({ status }) => status === 404,
    at: isOneOf('deleteSnapshot'),
  },
]

/** Makes the server return the wrong error if a request has two errors. */
export const checkOrder = perCell('order of checks', (cell) =>
  cell.operation.security === 'api'
    ? swaps
        .filter(({ at }) => at?.(cell) ?? true)
        .map(
          ({ what, response, concerns, reach }): MutantInput => ({
            what,
            hints: ['errors.order-of-checks'],
            make: onResponse(concerns, () => response),
            ...(reach && { reach }),
          }),
        )
    : [],
)

/** Makes the server return 404 or a successful response instead of 405 for methods that a path doesn't support. */
export const methods = perCell('method not offered', (cell) =>
  cell.operation.security === 'api'
    ? [
        {
          what: 'is not found',
          hints: ['errors.method-not-allowed' as const],
          reach: 'path' as const,
          make: onResponse(
            ({ status }) => status === 405,
            () => notFound,
          ),
        },
        {
          what: 'is served',
          hints: ['errors.method-not-allowed' as const],
          reach: 'path' as const,
          make: onResponse(
            ({ status }) => status === 405,
            (response) => ({ ...response, status: 200, body: '{}' }),
          ),
        },
      ]
    : [],
)

/** Makes the API generation that lacks this operation accept requests for it or return the wrong error. */
export const absentOperation = perCell('absent in the other generation', (cell) => {
  if (onOneGeneration(cell) !== true) return []
  const refused = ({ status }: Response) => status === 404 || status === 405
  const of = (what: string, make: MutantInput['make']): MutantInput => ({
    what,
    hints: ['versions.absent-operation-not-found'],
    reach: 'other generation',
    make,
  })
  return [
    of(
      'is served',
      onResponse(refused, (response) => ({ ...response, status: 200, body: '{}' })),
    ),
    of(
      'is invalid',
      onResponse(refused, () => invalid),
    ),
  ]
})

/** Makes unknown paths return the wrong error or a successful response. */
export const unknownPath = perCell('unknown path', (cell) =>
  cell.operation.id === 'listMatcherFieldNames'
    ? [
        {
          what: 'is invalid',
          hints: ['errors.unknown-path' as const],
          reach: 'generation' as const,
          make: onResponse(
            ({ status }) => status === 404,
            () => invalid,
          ),
        },
        {
          what: 'is served',
          hints: ['errors.unknown-path' as const],
          reach: 'generation' as const,
          make: onResponse(
            ({ status }, { path }) => status === 404 && path.includes('noSuchPath'),
            (response) => ({ ...response, status: 200 }),
          ),
        },
      ]
    : [],
)

const shown = isOneOf('listAccessLogsByCluster', 'issueToken')

/** Makes the server return 404 for an operation, as if the operation had a different path. */
export const elsewhere = perCell('operation elsewhere', (cell) => [
  {
    hints: [shown(cell) ? 'operations.shown-method-and-path' : 'operations.method-and-path'],
    make: onResponse(
      () => true,
      () => notFound,
    ),
  },
])

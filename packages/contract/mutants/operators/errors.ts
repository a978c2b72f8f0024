import type { RequirementId } from '@svc-admin/types'
import { isObject, type Json } from '../../src/document/json.ts'
import type { Cell } from '../../src/model/api.ts'
import {
  type MutantInput,
  mapJson,
  onResponse,
  perCell,
  requestHeader,
  withHeader,
  withStatus,
} from '../mutant.ts'
import type { ProxiedRequest, Response } from '../proxy.ts'

/** Maps each error status to the requirement whose checks cause this error. */
const provokers: Readonly<Record<number, (cell: Cell) => RequirementId | undefined>> = {
  400: () => 'errors.validation',
  401: () => 'auth.no-credentials-refused',
  403: ({ row }) => (row.roles.includes('ANY') ? undefined : 'roles.other-role-refused'),
  404: ({ operation }) => (operation.pathParameters.length > 0 ? 'identifiers.unknown-not-found' : undefined),
  405: () => 'errors.method-not-allowed',
  406: ({ version }) =>
    version.generation === 'v2' ? 'versions.must-be-chosen' : 'versions.plain-other-accept-refused',
  413: ({ row }) => (row.hasBody ? 'bodies.too-large' : undefined),
  415: ({ row }) => (row.hasBody ? 'versions.body-other-type-refused' : undefined),
}

interface Change {
  readonly what: string
  readonly hint: RequirementId
  readonly change: (response: Response, request: ProxiedRequest) => Response
}

const inBody = (change: (body: Readonly<Record<string, Json>>) => Json) => (response: Response) =>
  mapJson(response, (body) => (isObject(body) ? change(body) : body))

const fields = ['error', 'errorCode', 'reason', 'detail'] as const

const dropped: Change[] = fields.map((name) => ({
  what: `without ${name}`,
  hint: 'errors.body-fits-schema',
  change: inBody(({ [name]: _, ...rest }) => rest),
}))

const mistyped: Change[] = fields.map((name) => ({
  what: `${name} of another type`,
  hint: 'errors.body-fits-schema',
  change: inBody((body) => ({ ...body, [name]: typeof body[name] === 'number' ? String(body[name]) : 7 })),
}))

const changes: readonly Change[] = [
  ...dropped,
  ...mistyped,
  { what: 'another body', hint: 'errors.body-fits-schema', change: inBody(() => ({ message: 'no' })) },
  {
    what: 'no JSON',
    hint: 'errors.body-fits-schema',
    change: (response) => ({ ...response, body: '<h1>no</h1>' }),
  },
  { what: 'no body', hint: 'errors.body-fits-schema', change: (response) => ({ ...response, body: '' }) },
  {
    what: 'error is another status',
    hint: 'errors.error-is-status',
    change: inBody((body) => ({ ...body, error: Number(body.error) === 400 ? 500 : 400 })),
  },
  {
    what: 'unknown errorCode',
    hint: 'errors.code-in-catalogue',
    change: inBody((body) => ({ ...body, errorCode: 'NO_SUCH_CODE' })),
  },
  {
    what: 'errorCode of another status',
    hint: 'errors.code-in-catalogue',
    change: inBody((body) => ({
      ...body,
      errorCode: body.errorCode === 'RATE_LIMITED' ? 'UNAUTHORIZED' : 'RATE_LIMITED',
    })),
  },
  {
    what: 'another reason',
    hint: 'errors.reason-is-phrase',
    change: inBody((body) => ({ ...body, reason: 'Nope' })),
  },
  {
    what: 'text/plain',
    hint: 'errors.media-type',
    change: (response) => withHeader(response, 'Content-Type', 'text/plain'),
  },
  {
    what: 'in the versioned media type',
    hint: 'errors.media-type',
    change: (response) => withHeader(response, 'Content-Type', 'application/vnd.svc.2023-01-01+json'),
  },
  {
    what: 'undeclared status',
    hint: 'errors.status-declared',
    change: (response) =>
      withStatus(inBody((body) => ({ ...body, error: 418, reason: "I'm a Teapot" }))(response), 418),
  },
  {
    what: 'status 500',
    hint: 'errors.never-500-on-input',
    change: (response) =>
      withStatus(
        inBody((body) => ({
          ...body,
          error: 500,
          errorCode: 'UNEXPECTED_ERROR',
          reason: 'Internal Server Error',
        }))(response),
        500,
      ),
  },
  {
    what: 'success',
    hint: 'errors.success-status',
    change: (response) => withStatus(response, 200),
  },
]

const isOf =
  (status: number) =>
  (response: Response): boolean =>
    response.status === status

const inputs = (cell: Cell): MutantInput[] =>
  Object.entries(provokers).flatMap(([text, provoker]) => {
    const status = Number(text)
    const provoked = provoker(cell)
    if (provoked === undefined) return []
    return changes.map(({ what, hint, change }) => ({
      what: `${status} ${what}`,
      hints: [provoked, hint],
      reach: status === 405 ? ('path' as const) : ('cell' as const),
      make: onResponse(isOf(status), change),
    }))
  })

/** Removes or changes the content of errors. */
export const wrongError = perCell('wrong error', (cell) =>
  cell.operation.security === 'api' ? inputs(cell) : [],
)

/** Makes an error response reveal the caller's password. */
export const leak = perCell('secret in the error', (cell) =>
  cell.operation.security === 'api'
    ? [
        {
          hints: ['auth.bearer-in-query-refused' as const, 'errors.no-secret' as const],
          make: onResponse(isOf(401), (response, request) =>
            inBody((body) => ({ ...body, detail: `Not for ${decodeURIComponent(request.path)}` }))(response),
          ),
        },
      ]
    : [],
)

const challengeParts = ['realm', 'nonce', 'qop', 'algorithm', 'stale'] as const

const withoutPart = (name: string) => (response: Response) => {
  const value = response.headers.find(([key]) => key.toLowerCase() === 'www-authenticate')?.[1] ?? ''
  return withHeader(
    response,
    'WWW-Authenticate',
    value.replace(new RegExp(`,? ?${name}=("[^"]*"|[^,]*)`), '').replace('Digest,', 'Digest'),
  )
}

/** Removes the challenge from a 401 response, or makes it incomplete. */
export const noChallenge = perCell('challenge', (cell) =>
  cell.operation.security === 'api'
    ? [
        {
          what: 'none',
          hints: ['auth.no-credentials-refused' as const, 'auth.unauthorized-carries-challenge' as const],
          make: onResponse(isOf(401), (response) => withHeader(response, 'WWW-Authenticate', undefined)),
        },
        {
          what: 'another scheme',
          hints: ['auth.no-credentials-refused' as const, 'auth.unauthorized-carries-challenge' as const],
          make: onResponse(isOf(401), (response) =>
            withHeader(response, 'WWW-Authenticate', 'Basic realm="x"'),
          ),
        },
        ...challengeParts.map((name) => ({
          what: `without ${name}`,
          hints: ['auth.no-credentials-refused' as const, 'auth.unauthorized-carries-challenge' as const],
          make: onResponse(isOf(401), withoutPart(name)),
        })),
        {
          what: 'another algorithm alone',
          hints: ['auth.no-credentials-refused' as const, 'auth.unauthorized-carries-challenge' as const],
          make: onResponse(isOf(401), (response) =>
            mapHeader(response, 'algorithm=MD5', 'algorithm=SHA-256'),
          ),
        },
        {
          what: 'always stale',
          hints: ['auth.challenge-not-stale' as const, 'auth.digest-stale-only-for-expired-nonce' as const],
          make: onResponse(isOf(401), (response) => mapHeader(response, 'stale=false', 'stale=true')),
        },
        ...(['issued', 'expired'] as const).map((nonce) => ({
          what: `stale for a wrong password with a nonce that is ${nonce}`,
          hints:
            nonce === 'issued'
              ? ['auth.challenge-not-stale' as const]
              : ['auth.digest-stale-only-for-expired-nonce' as const],
          make: staleForPassword(nonce === 'expired'),
        })),
        {
          what: 'never stale',
          hints: ['auth.digest-stale-only-for-expired-nonce' as const],
          make: onResponse(isOf(401), (response) => mapHeader(response, 'stale=true', 'stale=false')),
        },
      ]
    : [],
)

const mapHeader = (response: Response, from: string, to: string): Response => ({
  ...response,
  headers: response.headers.map(([name, value]) => [name, value.replace(from, to)] as const),
})

/**
 * Makes the server send `stale=true` after a wrong password. A client that trusts this parameter would retry with the
 * same password indefinitely.
 */
const staleForPassword =
  (expired: boolean): MutantInput['make'] =>
  (tools) => {
    // The nonces that the server itself has reported as expired.
    const known = new Set<string>()
    return async (request, forward) => {
      const response = await forward(request)
      const nonce = /nonce="([^"]*)"/.exec(requestHeader(request, 'Authorization') ?? '')?.[1] ?? ''
      if (response.headers.some(([, value]) => value.includes('stale=true'))) known.add(nonce)
      return response.status === 401 && tools.faultOf(request) === 'password' && known.has(nonce) === expired
        ? mapHeader(response, 'stale=false', 'stale=true')
        : response
    }
  }

const methodHints = ['errors.method-not-allowed', 'errors.method-not-allowed-carries-allow'] as const

/** Makes the `Allow` header in a 405 response list the wrong methods. */
export const wrongAllow = perCell('wrong Allow', (cell) =>
  cell.operation.security === 'api'
    ? [undefined, 'TRACE', 'GET, PUT, POST, DELETE, PATCH'].map((value) => ({
        what: value ?? 'none',
        hints: methodHints,
        reach: 'path' as const,
        make: onResponse(isOf(405), (response) => withHeader(response, 'Allow', value)),
      }))
    : [],
)

/** Makes an error omit the name of the invalid field. */
export const unnamedFault = perCell('fault not named', (cell) =>
  cell.operation.security === 'api'
    ? [
        {
          hints: ['errors.parameters-name-the-fault' as const],
          make: onResponse(
            isOf(400),
            inBody(({ parameters: _, ...rest }) => rest),
          ),
        },
        {
          what: 'another name',
          hints: ['errors.parameters-name-the-fault' as const],
          make: onResponse(
            isOf(400),
            inBody((body) => ({ ...body, parameters: ['other'] })),
          ),
        },
      ]
    : [],
)

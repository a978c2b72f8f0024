import type { RequirementId } from '@svc-admin/types'
import { isObject, type Json } from '../../src/document/json.ts'
import type { Cell } from '../../src/engine/api.ts'
import {
  type MutantInput,
  mapJson,
  onAnswer,
  perCell,
  requestHeader,
  withHeader,
  withStatus,
} from '../mutant.ts'
import type { Answer, Passing } from '../proxy.ts'

/** A rule that provokes each status, where it can be provoked. */
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
  readonly change: (answer: Answer, request: Passing) => Answer
}

const inBody = (change: (body: Readonly<Record<string, Json>>) => Json) => (answer: Answer) =>
  mapJson(answer, (body) => (isObject(body) ? change(body) : body))

const members = ['error', 'errorCode', 'reason', 'detail'] as const

const dropped: Change[] = members.map((name) => ({
  what: `without ${name}`,
  hint: 'errors.body-fits-schema',
  change: inBody(({ [name]: _, ...rest }) => rest),
}))

const mistyped: Change[] = members.map((name) => ({
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
    change: (answer) => ({ ...answer, body: '<h1>no</h1>' }),
  },
  { what: 'no body', hint: 'errors.body-fits-schema', change: (answer) => ({ ...answer, body: '' }) },
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
    change: (answer) => withHeader(answer, 'Content-Type', 'text/plain'),
  },
  {
    what: 'in the versioned media type',
    hint: 'errors.media-type',
    change: (answer) => withHeader(answer, 'Content-Type', 'application/vnd.svc.2023-01-01+json'),
  },
  {
    what: 'undeclared status',
    hint: 'errors.status-declared',
    change: (answer) =>
      withStatus(inBody((body) => ({ ...body, error: 418, reason: "I'm a Teapot" }))(answer), 418),
  },
  {
    what: 'status 500',
    hint: 'errors.never-500-on-input',
    change: (answer) =>
      withStatus(
        inBody((body) => ({
          ...body,
          error: 500,
          errorCode: 'UNEXPECTED_ERROR',
          reason: 'Internal Server Error',
        }))(answer),
        500,
      ),
  },
  {
    what: 'success',
    hint: 'errors.success-status',
    change: (answer) => withStatus(answer, 200),
  },
]

const isOf =
  (status: number) =>
  (answer: Answer): boolean =>
    answer.status === status

const inputs = (cell: Cell): MutantInput[] =>
  Object.entries(provokers).flatMap(([text, provoker]) => {
    const status = Number(text)
    const provoked = provoker(cell)
    if (provoked === undefined) return []
    return changes.map(({ what, hint, change }) => ({
      what: `${status} ${what}`,
      hints: [provoked, hint],
      reach: status === 405 ? ('path' as const) : ('cell' as const),
      make: onAnswer(isOf(status), change),
    }))
  })

/** An error says less, or something else, than it should. */
export const wrongError = perCell('wrong error', (cell) =>
  cell.operation.security === 'api' ? inputs(cell) : [],
)

/** The password of whoever called stands in the error. */
export const leak = perCell('secret in the error', (cell) =>
  cell.operation.security === 'api'
    ? [
        {
          hints: ['auth.bearer-in-query-refused' as const, 'errors.no-secret' as const],
          make: onAnswer(isOf(401), (answer, request) =>
            inBody((body) => ({ ...body, detail: `Not for ${decodeURIComponent(request.path)}` }))(answer),
          ),
        },
      ]
    : [],
)

const challengeParts = ['realm', 'nonce', 'qop', 'algorithm', 'stale'] as const

const withoutPart = (name: string) => (answer: Answer) => {
  const value = answer.headers.find(([key]) => key.toLowerCase() === 'www-authenticate')?.[1] ?? ''
  return withHeader(
    answer,
    'WWW-Authenticate',
    value.replace(new RegExp(`,? ?${name}=("[^"]*"|[^,]*)`), '').replace('Digest,', 'Digest'),
  )
}

/** A 401 has no challenge, or one that lacks a part. */
export const noChallenge = perCell('challenge', (cell) =>
  cell.operation.security === 'api'
    ? [
        {
          what: 'none',
          hints: ['auth.no-credentials-refused' as const, 'auth.unauthorized-carries-challenge' as const],
          make: onAnswer(isOf(401), (answer) => withHeader(answer, 'WWW-Authenticate', undefined)),
        },
        {
          what: 'another scheme',
          hints: ['auth.no-credentials-refused' as const, 'auth.unauthorized-carries-challenge' as const],
          make: onAnswer(isOf(401), (answer) => withHeader(answer, 'WWW-Authenticate', 'Basic realm="x"')),
        },
        ...challengeParts.map((name) => ({
          what: `without ${name}`,
          hints: ['auth.no-credentials-refused' as const, 'auth.unauthorized-carries-challenge' as const],
          make: onAnswer(isOf(401), withoutPart(name)),
        })),
        {
          what: 'another algorithm alone',
          hints: ['auth.no-credentials-refused' as const, 'auth.unauthorized-carries-challenge' as const],
          make: onAnswer(isOf(401), (answer) => mapHeader(answer, 'algorithm=MD5', 'algorithm=SHA-256')),
        },
        {
          what: 'always stale',
          hints: ['auth.challenge-not-stale' as const, 'auth.digest-stale-only-for-expired-nonce' as const],
          make: onAnswer(isOf(401), (answer) => mapHeader(answer, 'stale=false', 'stale=true')),
        },
        ...(['issued', 'expired'] as const).map((nonce) => ({
          what: `stale for a wrong password with a nonce that is ${nonce}`,
          hints: ['auth.digest-stale-only-for-expired-nonce' as const],
          make: staleForPassword(nonce === 'expired'),
        })),
        {
          what: 'never stale',
          hints: ['auth.digest-stale-only-for-expired-nonce' as const],
          make: onAnswer(isOf(401), (answer) => mapHeader(answer, 'stale=true', 'stale=false')),
        },
      ]
    : [],
)

const mapHeader = (answer: Answer, from: string, to: string): Answer => ({
  ...answer,
  headers: answer.headers.map(([name, value]) => [name, value.replace(from, to)] as const),
})

/** A client that trusts `stale` asks again and again with the password that is wrong. */
const staleForPassword =
  (expired: boolean): MutantInput['make'] =>
  (tools) => {
    // That a nonce has expired, the server itself says to whoever sends it with the right password.
    const known = new Set<string>()
    return async (request, forward) => {
      const answer = await forward(request)
      const nonce = /nonce="([^"]*)"/.exec(requestHeader(request, 'Authorization') ?? '')?.[1] ?? ''
      if (answer.headers.some(([, value]) => value.includes('stale=true'))) known.add(nonce)
      return answer.status === 401 && tools.faultOf(request) === 'password' && known.has(nonce) === expired
        ? mapHeader(answer, 'stale=false', 'stale=true')
        : answer
    }
  }

const methodHints = ['errors.method-not-allowed', 'errors.method-not-allowed-carries-allow'] as const

/** A 405 does not say what the path offers. */
export const wrongAllow = perCell('wrong Allow', (cell) =>
  cell.operation.security === 'api'
    ? [undefined, 'TRACE', 'GET, PUT, POST, DELETE, PATCH'].map((value) => ({
        what: value ?? 'none',
        hints: methodHints,
        reach: 'path' as const,
        make: onAnswer(isOf(405), (answer) => withHeader(answer, 'Allow', value)),
      }))
    : [],
)

/** An error does not name what was at fault. */
export const unnamedFault = perCell('fault not named', (cell) =>
  cell.operation.security === 'api'
    ? [
        {
          hints: ['errors.parameters-name-the-fault' as const],
          make: onAnswer(
            isOf(400),
            inBody(({ parameters: _, ...rest }) => rest),
          ),
        },
        {
          what: 'another name',
          hints: ['errors.parameters-name-the-fault' as const],
          make: onAnswer(
            isOf(400),
            inBody((body) => ({ ...body, parameters: ['other'] })),
          ),
        },
      ]
    : [],
)

import type { RequirementId } from '@svc-admin/types'
import { limits } from '@svc-admin/types'
import { isObject, type Json, stringAt } from '../../src/document/json.ts'
import { basicAuthorization } from '../../src/http/authorization.ts'
import { demoTarget } from '../../src/target/demo.ts'
import {
  isSuccess,
  type MutantInput,
  mapJson,
  onResponse,
  perCell,
  requestHeader,
  withHeader,
  withRequestHeader,
  withStatus,
} from '../mutant.ts'
import type { ProxiedRequest, Response } from '../proxy.ts'

const errorOf = (response: Response): string | undefined => {
  try {
    const body: Json = JSON.parse(response.body)
    return stringAt(isObject(body) && isObject(body.content) ? body.content : body, 'error')
  } catch {
    return undefined
  }
}

const isOf =
  (error: string) =>
  (response: Response): boolean =>
    errorOf(response) === error

const fields = (response: Response, change: (body: Readonly<Record<string, Json>>) => Json): Response =>
  mapJson(response, (body) => (isObject(body) ? change(body) : body))

const spare = Object.values(demoTarget({ baseUrl: 'http://127.0.0.1' }).roles).at(0)?.serviceAccount

/** Replaces the token in a valid token response with a made-up token. */
const token = (response: Response): Response => ({
  status: 200,
  headers: [...withHeader(response, 'WWW-Authenticate', undefined).headers, ['Cache-Control', 'no-store']],
  body: '{"access_token":"made-by-a-mutant","token_type":"Bearer","expires_in":3600}',
})

const issued = (what: string, hint: RequirementId, error: string): MutantInput => ({
  what,
  hints: [hint],
  make: onResponse(isOf(error), token),
})

const errorHints: Readonly<Record<string, RequirementId>> = {
  invalid_client: 'issueToken.wrong-secret',
  invalid_request: 'issueToken.missing-grant',
  unsupported_grant_type: 'issueToken.other-grant',
  access_denied: 'issueToken.access-list',
  rate_limited: 'issueToken.limited',
}

/** Mutants that each introduce one kind of defect into one of the token endpoint's error responses. */
const ofEachError = Object.entries(errorHints).flatMap(([error, hint]): MutantInput[] => [
  {
    what: `${error} without error`,
    hints: [hint, 'issueToken.error-shape'],
    make: onResponse(isOf(error), (response) => fields(response, ({ error: _, ...rest }) => rest)),
  },
  {
    what: `${error} without error_description`,
    hints: [hint, 'issueToken.error-shape'],
    make: onResponse(isOf(error), (response) =>
      fields(response, ({ error_description: _, ...rest }) => rest),
    ),
  },
  {
    what: `${error} as another error`,
    hints: [hint],
    make: onResponse(isOf(error), (response) =>
      fields(response, (body) => ({ ...body, error: 'invalid_scope' })),
    ),
  },
  {
    what: `${error} with another status`,
    hints: [hint, 'issueToken.error-in-catalogue'],
    make: onResponse(isOf(error), (response) => withStatus(response, response.status === 400 ? 401 : 400)),
  },
  {
    what: `${error} in the shape of the API`,
    hints: [hint, 'issueToken.error-shape'],
    make: onResponse(isOf(error), (response) =>
      fields(response, () => ({ error: response.status, errorCode: 'X', reason: 'Y', detail: 'Z' })),
    ),
  },
  {
    what: `${error} as text`,
    hints: [hint, 'errors.media-type'],
    make: onResponse(isOf(error), (response) => withHeader(response, 'Content-Type', 'text/plain')),
  },
])

const limited: Response = {
  status: 429,
  headers: [
    ['Content-Type', 'application/json'],
    ['Retry-After', '1'],
  ],
  body: '{"error":"rate_limited","error_description":"resource limited to 10 requests every 1 minute"}',
}

const inputs: readonly MutantInput[] = [
  issued('wrong secret taken', 'issueToken.wrong-secret', 'invalid_client'),
  issued('missing grant taken', 'issueToken.missing-grant', 'invalid_request'),
  {
    what: 'unknown parameter not named',
    hints: ['issueToken.unknown-parameter'],
    make: onResponse(isOf('invalid_request'), (response) =>
      fields(response, (body) => ({ ...body, error_description: 'credentials not valid' })),
    ),
  },
  {
    what: 'what was sent in a description',
    hints: ['issueToken.description-characters'],
    make: onResponse(isOf('invalid_request'), (response, { path, body = '' }) =>
      fields(response, (error) => ({ ...error, error_description: decodeURIComponent(path + body) })),
    ),
  },
  issued('other grant taken', 'issueToken.other-grant', 'unsupported_grant_type'),
  issued('access list ignored', 'issueToken.access-list', 'access_denied'),
  issued('limit not enforced', 'issueToken.limited', 'rate_limited'),
  {
    what: 'no credentials taken',
    hints: ['issueToken.no-credentials'],
    make: onResponse(
      ({ status }, request) => status === 401 && requestHeader(request, 'Authorization') === undefined,
      token,
    ),
  },
  {
    what: 'other bodies taken',
    hints: ['issueToken.form-only'],
    make: onResponse(
      ({ status }, request) =>
        status === 400 && !(requestHeader(request, 'Content-Type') ?? '').includes('form'),
      token,
    ),
  },
  {
    what: 'no Basic challenge',
    hints: ['issueToken.no-credentials', 'issueToken.basic-challenge'],
    make: onResponse(
      ({ status }) => status === 401,
      (response) => withHeader(response, 'WWW-Authenticate', undefined),
    ),
  },
  {
    what: 'Digest challenge',
    hints: ['issueToken.no-credentials', 'issueToken.basic-challenge'],
    make: onResponse(
      ({ status }) => status === 401,
      (response) => withHeader(response, 'WWW-Authenticate', 'Digest realm="x", nonce="y"'),
    ),
  },
  {
    what: 'no Retry-After',
    hints: ['issueToken.limited-carries-retry-after', 'issueToken.unavailable'],
    make: onResponse(
      ({ status }) => status === 429 || status === 503,
      (response) => withHeader(response, 'Retry-After', undefined),
    ),
  },
  {
    what: 'Retry-After soon',
    hints: ['issueToken.limited-carries-retry-after'],
    make: onResponse(
      ({ status }) => status === 429,
      (response) => withHeader(response, 'Retry-After', 'soon'),
    ),
  },
  {
    what: 'limit of one more',
    hints: ['issueToken.limited'],
    make: () => {
      const passed = new Set<string>()
      return async (request, forward) => {
        const response = await forward(request)
        const account = requestHeader(request, 'Authorization') ?? ''
        if (!isOf('rate_limited')(response) || passed.has(account)) return response
        passed.add(account)
        return token(response)
      }
    },
  },
  {
    what: 'limited for longer after each refusal',
    hints: ['issueToken.limited'],
    make: () => {
      const refusals = new Map<string, number>()
      return async (request, forward) => {
        const response = await forward(request)
        const account = requestHeader(request, 'Authorization') ?? ''
        const before = refusals.get(account) ?? 0
        const isRefused = isOf('rate_limited')(response)
        refusals.set(account, isRefused ? before + 1 : 0)
        return !isRefused && before > 1 ? limited : response
      }
    },
  },
  {
    what: 'limited after five',
    hints: ['issueToken.limited'],
    make: () => {
      let count = 0
      const all = spare === undefined ? '' : basicAuthorization(spare)
      return async (request: ProxiedRequest, forward) => {
        count += requestHeader(request, 'Authorization') === all ? 0 : 1
        return count > 5 ? limited : forward(request)
      }
    },
  },
  {
    what: 'another success',
    hints: ['issueToken.answers-with-token'],
    make: onResponse(isSuccess, (response) => withStatus(response, 201)),
  },
  {
    what: 'another token_type',
    hints: ['issueToken.answers-with-token'],
    make: onResponse(isSuccess, (response) => fields(response, (body) => ({ ...body, token_type: 'MAC' }))),
  },
  {
    what: 'an empty token',
    hints: ['issueToken.answers-with-token'],
    make: onResponse(isSuccess, (response) => fields(response, (body) => ({ ...body, access_token: '' }))),
  },
  {
    what: 'a fraction of seconds',
    hints: ['issueToken.answers-with-token'],
    make: onResponse(isSuccess, (response) => fields(response, (body) => ({ ...body, expires_in: 1.5 }))),
  },
  {
    what: 'lasts as long as it says twice over',
    hints: ['issueToken.lasts'],
    make: onResponse(isSuccess, (response) =>
      fields(response, (body) => ({ ...body, expires_in: 2 * limits.tokenLifetime.seconds })),
    ),
  },
  {
    what: 'may be cached',
    hints: ['issueToken.not-cached'],
    make: onResponse(isSuccess, (response) => withHeader(response, 'Cache-Control', 'public, max-age=60')),
  },
  {
    what: 'may be cached by old caches',
    hints: ['issueToken.not-cached'],
    make: onResponse(isSuccess, (response) => withHeader(response, 'Pragma', 'public')),
  },
  {
    what: 'good secret rejected',
    hints: ['issueToken.answers-with-token'],
    make: () => (request, forward) => forward(withRequestHeader(request, 'Authorization', 'Basic eDp5')),
  },
]

/** Makes the token endpoint issue or reject tokens incorrectly. */
export const tokens = perCell('token', (cell) =>
  cell.operation.security === 'api' ? [] : [...inputs, ...ofEachError],
)

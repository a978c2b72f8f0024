import { tokenErrors } from '@svc-admin/types'
import { always, forEach, rules, timed } from '../../check/rule.ts'
import { type Trial, tokenAccount } from '../../check/trial.ts'
import { inspect, isObject, numberAt, stringAt, valueAt } from '../../document/json.ts'
import { type Authorization, anonymous, type ServiceAccount } from '../../http/authorization.ts'
import type { Exchange } from '../../http/exchange.ts'
import { headerValue } from '../../http/exchange.ts'
import { spareSeconds } from '../../http/tokens.ts'
import { indented, overLines } from '../../judges/layout.ts'
import type { CallChanges } from '../../model/call.ts'
import {
  bodyOf,
  describeResponse,
  expectError,
  expectRefusal,
  expectSuccess,
  expectThat,
  isSuccess,
} from '../../model/expect.ts'
import { Untestable } from '../../model/signals.ts'
import { basic, expectTokenError, restrictedAccount } from '../../resources/token-accounts.ts'

/**
 * Returns an unknown client ID. An unknown client has a separate rate limit, so these requests don't use up a
 * real client's limit.
 */
const stranger = ({ random }: Trial): ServiceAccount => ({
  clientId: `nobody-${random.hex(12)}`,
  clientSecret: `none-${random.hex(24)}`,
})

const wrongSecret = (trial: Trial): ServiceAccount => ({
  ...tokenAccount(trial.context),
  clientSecret: `wrong-${trial.random.hex(24)}`,
})

const kindsOfWrong = ['wrong secret', 'unknown client', 'no colon', 'empty'] as const
type Wrong = (typeof kindsOfWrong)[number]

const wrongly = (trial: Trial, kind: Wrong): Authorization => {
  if (kind === 'wrong secret') return basic(wrongSecret(trial))
  if (kind === 'unknown client') return basic(stranger(trial))
  const value = kind === 'empty' ? 'Basic ' : `Basic ${Buffer.from('nocolon').toString('base64')}`
  return { kind: 'verbatim', value }
}

/** Requests that the server must reject, keyed by the reason. */
const faults: Readonly<Record<string, (trial: Trial) => CallChanges>> = {
  'wrong secret': (trial) => ({ as: wrongly(trial, 'wrong secret') }),
  'no credentials': () => ({ as: anonymous }),
  'no grant': () => ({ rawBody: '' }),
  'other grant': () => ({ body: { grant_type: 'password' } }),
  'other address': (trial) => ({ as: basic(restrictedAccount(trial), true) }),
}

const statusOf = (error: string): number | undefined => {
  const rows: Readonly<Record<string, { readonly status: number }>> = tokenErrors
  return rows[error]?.status
}

/** The errors to request with `envelope` or `pretty`. Only `no grant` counts toward a real client's limit. */
const formattedErrors = ['unknown client', 'no credentials', 'no grant'] as const

/** The specification doesn't say whether `envelope` and `pretty` apply to errors, so this is our decision. */
const expectFormattedError = (exchange: Exchange, flag: string): void => {
  const body = bodyOf(exchange)
  const { status } = exchange.response
  const isRight =
    flag === 'pretty'
      ? overLines(exchange)
      : isObject(body) && body.status === status && stringAt(valueAt(body, '/content'), 'error') !== undefined
  expectThat(isRight, {
    expected:
      flag === 'pretty' ? 'an indented error' : `an object with status ${status} and the error in content`,
    actual: inspect(exchange.response.body, 100),
    exchange,
    strength: 'decided',
  })
}

/** Requests a token. Returns the token's lifetime in seconds, and a function that sends a request with the token. */
const newToken = async (trial: Trial) => {
  const exchange = await trial.try()
  const body = exchange.response.status < 300 ? bodyOf(exchange) : null
  const [token, seconds] = [stringAt(body, 'access_token'), numberAt(body, 'expires_in')]
  if (token === undefined || seconds === undefined) throw new Untestable('a token with expires_in')
  const use = async (): Promise<Exchange> => {
    const call = await trial.callOf('listMatcherFieldNames')
    return trial.send({ ...call, as: { kind: 'verbatim', value: `Bearer ${token}` } })
  }
  return { seconds, use }
}

/** Requests a token and uses it once. */
const usableToken = async (trial: Trial) => {
  const token = await newToken(trial)
  const fresh = await token.use()
  if (!isSuccess(fresh))
    throw new Untestable(`a call that succeeds with a token (${describeResponse(fresh)})`)
  return token
}

const expectUsable = (exchange: Exchange, expected: string): void =>
  expectThat(exchange.response.status !== 401, { expected, actual: describeResponse(exchange), exchange })

/** The target's clock may differ by up to two seconds. */
const lastSeconds = 5

export default rules({
  'issueToken.answers-with-token': always(async (trial) => {
    const exchange = await trial.try()
    expectSuccess(exchange)
    const { status } = exchange.response
    expectThat(status === 200, { expected: 'status 200', actual: `status ${status}`, exchange })
    const body = bodyOf(exchange)
    const right =
      (stringAt(body, 'access_token') ?? '') !== '' &&
      stringAt(body, 'token_type') === 'Bearer' &&
      Number.isInteger(numberAt(body, 'expires_in'))
    const actual = isObject(body) ? Object.keys(body).join(', ') : 'a body that is not an object'
    expectThat(right, { expected: 'access_token, token_type Bearer and expires_in', actual, exchange })
  }),

  'issueToken.wrong-secret': forEach(
    () => kindsOfWrong,
    (kind) => kind,
    async (trial, kind) => {
      const exchange = await trial.try({ as: wrongly(trial, kind) })
      const error = stringAt(bodyOf(exchange), 'error')
      const { status } = exchange.response
      expectThat(
        status >= 400 && status < 500 && ['invalid_client', 'invalid_request'].includes(error ?? ''),
        {
          expected: 'invalid_client or invalid_request, because the client credentials are wrong',
          actual: describeResponse(exchange),
          exchange,
        },
      )
    },
  ),

  'issueToken.wrong-secret-code': forEach(
    () => kindsOfWrong,
    (kind) => kind,
    async (trial, kind) =>
      expectError(
        await trial.try({ as: wrongly(trial, kind) }),
        'invalid_client',
        'the client credentials are wrong',
      ),
  ),

  'issueToken.error-has-its-status': forEach(
    () => Object.keys(faults),
    (name) => name,
    async (trial, name) => {
      const exchange = await trial.try(faults[name]?.(trial))
      const error = stringAt(bodyOf(exchange), 'error') ?? ''
      const { status } = exchange.response
      const expected = statusOf(error)
      expectThat(status === expected, {
        expected: expected === undefined ? 'an error from the catalog' : `status ${expected} with ${error}`,
        actual: describeResponse(exchange),
        exchange,
      })
    },
  ),

  'issueToken.no-credentials': always(async (trial) => {
    expectError(await trial.try({ as: anonymous }), 'invalid_client', 'the request has no client credentials')
  }),

  'issueToken.missing-grant': forEach(
    () => ['', 'grant_type=', 'scope=x'] as const,
    (body) => JSON.stringify(body),
    async (trial, rawBody) =>
      expectError(await trial.try({ rawBody }), 'invalid_request', 'the request has no grant_type'),
  ),

  'issueToken.unknown-parameter': always(async (trial) => {
    const exchange = await trial.try({ query: [['noSuchParameter', '1']] })
    expectError(exchange, 'invalid_request', 'the endpoint has no parameter noSuchParameter')
    const description = stringAt(bodyOf(exchange), 'error_description') ?? ''
    expectThat(description.includes('noSuchParameter'), {
      expected: 'an error_description that names noSuchParameter',
      actual: inspect(description),
      exchange,
    })
  }),

  'issueToken.description-characters': forEach(
    (): CallChanges[] => [
      { query: [['no"such\\pärameter\n', '1']] },
      { rawBody: 'gr%C3%A4nt=1&gr%C3%A4nt=%22%5C%0A' },
      { body: { grant_type: 'pa"ss\\wörd' } },
    ],
    inspect,
    async (trial, changes) => {
      const exchange = await trial.try(changes)
      const description = stringAt(bodyOf(exchange), 'error_description') ?? ''
      // RFC 6749 §5.2 allows only these characters.
      expectThat(/^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(description), {
        expected: 'an error_description with only the characters that RFC 6749 allows',
        actual: inspect(description),
        exchange,
      })
    },
  ),

  'issueToken.other-grant': forEach(
    () => ['password', 'authorization_code', 'CLIENT_CREDENTIALS'] as const,
    (grant) => grant,
    async (trial, grant_type) =>
      expectTokenError(
        await trial.try({ body: { grant_type } }),
        'unsupported_grant_type',
        'the grant type is not supported',
      ),
  ),

  'issueToken.envelope': [
    forEach(
      () => ['envelope', 'pretty', 'envelope and pretty'] as const,
      (flags) => flags,
      async (trial, flags) => {
        const query = flags.split(' and ').map((flag) => [flag, 'true'] as const)
        const exchange = await trial.try({ query })
        expectSuccess(exchange)
        const body = bodyOf(exchange)
        if (flags !== 'pretty') {
          const wrapped = isObject(body) && body.status === 200
          expectThat(wrapped, { expected: 'an object with status 200', actual: 'a different body', exchange })
          expectThat(isObject(body.content), {
            expected: 'the token in content',
            actual: 'a different body',
            exchange,
            strength: 'decided',
          })
        }
        if (flags === 'envelope') return
        const expected = 'indentation by two spaces and a newline at the end'
        expectThat(overLines(exchange), { expected, actual: 'a body on one line', exchange })
        const actual = 'a different layout'
        expectThat(indented(exchange), { expected, actual, exchange, strength: 'decided' })
      },
    ),
    forEach(
      () => ['envelope', 'pretty'].flatMap((flag) => formattedErrors.map((name) => ({ flag, name }))),
      ({ flag, name }) => `${flag}, error: ${name}`,
      async (trial, { flag, name }) => {
        const changes = name === 'unknown client' ? { as: wrongly(trial, name) } : faults[name]?.(trial)
        const exchange = await trial.try({ ...changes, query: [[flag, 'true']] })
        if (isSuccess(exchange)) throw new Untestable(`an error of this kind (${name})`)
        expectFormattedError(exchange, flag)
      },
    ),
  ],

  'issueToken.form-only': forEach(
    () => ['application/json', 'text/plain', null] as const,
    (type) => type ?? 'absent',
    async (trial, contentType) => {
      const rawBody =
        contentType === 'application/json'
          ? '{"grant_type":"client_credentials"}'
          : 'grant_type=client_credentials'
      expectError(await trial.try({ contentType, rawBody }), 'invalid_request', 'the body is not a form')
    },
  ),

  'issueToken.lasts': [
    timed(async (trial) => {
      const { seconds, use } = await usableToken(trial)
      // If the token expires sooner than this, the kit requests a new token.
      const left = 2 * spareSeconds(seconds)
      await trial.context.prerequisites.advanceClock(Math.floor(seconds - left))
      const late = await use()
      const expected = `a success, because the token expires after ${seconds} seconds, and about ${Math.ceil(left)} seconds remain`
      expectUsable(late, expected)
    }),
    timed(
      async (trial) => {
        const { now, advanceClock } = trial.context.prerequisites
        const began = await now()
        const { seconds, use } = await usableToken(trial)
        const end = began + seconds * 1000
        await advanceClock(Math.floor((end - (await now())) / 1000) - lastSeconds)
        const late = await use()
        // If the response or the clock change is slow, the token may have expired, so the check is inconclusive.
        if ((await now()) >= end) throw new Untestable('a target that responds within a few seconds')
        const expected = `a success, because the token expires after ${seconds} seconds, and at least ${lastSeconds - 1} seconds remain`
        expectUsable(late, expected)
      },
      { label: 'until the last seconds' },
    ),
    timed(
      async (trial) => {
        // A server may remember used tokens, so the check uses the first token only after requesting the second.
        const { use } = await newToken(trial)
        await usableToken(trial)
        expectUsable(await use(), 'a success, because issuing another token does not end this one')
      },
      { label: 'with a second token' },
    ),
    timed(
      async (trial) => {
        const { seconds, use } = await usableToken(trial)
        await trial.context.prerequisites.advanceClock(Math.ceil(seconds) + lastSeconds)
        expectRefusal(await use(), 'UNAUTHORIZED', `the token has expired after ${seconds} seconds`)
      },
      { label: 'after expiration' },
    ),
  ],

  'issueToken.not-cached': always(async (trial) => {
    const exchange = await trial.try()
    expectSuccess(exchange)
    for (const [name, word] of Object.entries({ 'Cache-Control': 'no-store', Pragma: 'no-cache' })) {
      const value = headerValue(exchange.response.headers, name)
      const right = value?.toLowerCase().includes(word) ?? false
      expectThat(right, { expected: `${name}: ${word}`, actual: value, exchange })
    }
  }),
})

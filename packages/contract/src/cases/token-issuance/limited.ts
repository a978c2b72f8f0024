import { limits } from '@svc-admin/types'
import { always, forEach, rules, timed } from '../../check/rule.ts'
import { type Trial, tokenAccount } from '../../check/trial.ts'
import { stringAt } from '../../document/json.ts'
import type { ServiceAccount } from '../../http/authorization.ts'
import type { Exchange } from '../../http/exchange.ts'
import { retryAfterSeconds } from '../../http/pace.ts'
import type { CallChanges } from '../../model/call.ts'
import { bodyOf, describeResponse, expectError, expectSuccess, expectThat } from '../../model/expect.ts'
import { Untestable } from '../../model/signals.ts'
import { basic, freshAccount, spareAccount } from '../../resources/token-accounts.ts'

/** Sends token requests until a request exceeds the limit. */
const untilLimited = async (trial: Trial, account = spareAccount(trial)): Promise<Exchange> => {
  const as = basic(account, true)
  let exchange = await trial.try({ as }, { returnRateLimited: true })
  for (let count = 1; count <= limits.tokenRequests.maximum; count += 1)
    exchange = await trial.try({ as }, { returnRateLimited: true })
  return exchange
}

type Failure = (account: ServiceAccount, trial: Trial) => CallChanges

/** Requests that fail, keyed by the reason. */
const failures: Readonly<Record<string, Failure>> = {
  'wrong secret': (account, trial) => ({
    as: basic({ ...account, clientSecret: `wrong-${trial.random.hex(24)}` }),
  }),
  'unsupported grant type': (account) => ({
    as: basic(account, true),
    body: { grant_type: 'password' },
  }),
}

/**
 * Expects failed requests to count toward the limit. A server may limit failed requests separately, or authenticate
 * clients before it limits them. Therefore, the limit may apply either to another failed request or to a valid request.
 */
const expectFailuresCounted = async (trial: Trial, kind: string, failing: Failure): Promise<void> => {
  // Repeated wrong secrets could lock an account that other clients use.
  if (!trial.context.prerequisites.canSeed) throw new Untestable('a service account of its own')
  const account = await freshAccount(trial)
  const send = (changes: CallChanges): Promise<Exchange> => trial.try(changes, { returnRateLimited: true })
  const { maximum, windowSeconds } = limits.tokenRequests
  for (let count = 1; count <= maximum; count += 1) await send(failing(account, trial))
  const failed = await send(failing(account, trial))
  const valid = await send({ as: basic(account, true) })
  expectThat(
    [failed, valid].some(({ response }) => response.status === 429),
    {
      expected: `rate_limited: more than ${maximum} requests in ${windowSeconds} seconds, including failed requests`,
      actual: `${describeResponse(failed)}, then ${describeResponse(valid)} for valid credentials`,
      exchange: valid,
      // A server may reject an unsupported grant type before it counts the request.
      strength: kind === 'wrong secret' ? 'stated' : 'decided',
    },
  )
}

export default rules({
  'issueToken.limited': [
    always(async (trial) => {
      const { maximum, windowSeconds } = limits.tokenRequests
      const exchange = await untilLimited(trial, await freshAccount(trial))
      const why = `more than ${maximum} requests in ${windowSeconds} seconds`
      expectThat(exchange.response.status >= 400 && stringAt(bodyOf(exchange), 'error') === 'rate_limited', {
        expected: `rate_limited: ${why}`,
        actual: describeResponse(exchange),
        exchange,
      })
    }),
    always(
      async (trial) => {
        const { canSeed, canMoveClock } = trial.context.prerequisites
        if (!canSeed && !canMoveClock)
          throw new Untestable('a service account that has requested no tokens yet')
        const as = basic(await freshAccount(trial), true)
        // Counting each client separately is our decision, so requests of other clients may count too.
        if (canMoveClock)
          await trial.context.prerequisites.advanceClock(limits.tokenRequests.windowSeconds + 1)
        for (let count = 1; count <= limits.tokenRequests.maximum; count += 1) {
          const exchange = await trial.try({ as }, { returnRateLimited: true })
          const limited = exchange.response.status === 429
          expectThat(!limited, {
            expected: `no rate limit at request ${count}`,
            actual: 'status 429',
            exchange,
            ...(!canMoveClock && { strength: 'decided' }),
          })
        }
      },
      { label: 'within the limit' },
    ),
    forEach(
      () => Object.entries(failures),
      ([kind]) => `after failures: ${kind}`,
      (trial, [kind, failing]) => expectFailuresCounted(trial, kind, failing),
    ),
    timed(
      async (trial) => {
        const as = basic(await freshAccount(trial), true)
        const { windowSeconds } = limits.tokenRequests
        await untilLimited(trial, as.account)
        for (const share of [2, 3]) {
          await trial.context.prerequisites.advanceClock(windowSeconds / share)
          await trial.try({ as }, { returnRateLimited: true })
        }
        await trial.context.prerequisites.advanceClock(windowSeconds / 2)
        const exchange = await trial.try({ as }, { returnRateLimited: true })
        const why = `the client ID sent two requests within the last ${windowSeconds} seconds`
        expectThat(exchange.response.status !== 429, {
          expected: `no rate limit, because ${why}`,
          actual: 'status 429',
          exchange,
        })
      },
      { label: 'after the window' },
    ),
  ],

  'issueToken.limited-per-client': always(async (trial) => {
    expectError(await untilLimited(trial), 'rate_limited', 'the client ID sent too many requests')
    const other = tokenAccount(trial.context)
    if (other.clientId === spareAccount(trial).clientId) throw new Untestable('a second service account')
    await trial.context.prerequisites.advanceClock(limits.tokenRequests.windowSeconds + 1)
    await untilLimited(trial)
    const exchange = await trial.try({ as: basic(other, true) }, { returnRateLimited: true })
    expectSuccess(exchange, 'a token for a different client ID')
  }),

  'issueToken.limited-carries-retry-after': always(async (trial) => {
    const limited = await untilLimited(trial)
    if (limited.response.status !== 429) throw new Untestable('a rate limit for token requests')
    const as = basic(spareAccount(trial), true)
    const enveloped = await trial.try({ as, query: [['envelope', 'true']] }, { returnRateLimited: true })
    for (const exchange of [limited, enveloped]) {
      if (exchange.response.status !== 429) continue
      const seconds = retryAfterSeconds(exchange, Date.now())
      expectThat(seconds !== undefined, { expected: 'Retry-After', actual: 'no Retry-After', exchange })
    }
  }),
})

import { tokenErrors } from '@svc-admin/types'
import { forEach, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { stringAt } from '../../document/json.ts'
import type { Exchange } from '../../http/exchange.ts'
import { retryAfterSeconds } from '../../http/pace.ts'
import type { Query } from '../../model/call.ts'
import { bodyOf, describeResponse, expectThat } from '../../model/expect.ts'
import { Untestable } from '../../model/signals.ts'
import { basic, freshAccount } from '../../resources/token-accounts.ts'

/** Requests a token while the token endpoint is unavailable. */
const whileUnavailable = async (trial: Trial, query: Query): Promise<Exchange> => {
  const as = basic(await freshAccount(trial), true)
  const recover = await trial.context.prerequisites.failNext('issueToken')
  try {
    return await trial.try({ as, query }, { returnRateLimited: true, returnUnavailable: true })
  } finally {
    await recover()
  }
}

export default rules({
  'issueToken.unavailable': forEach(
    () => ['', 'envelope'] as const,
    (flag) => flag,
    async (trial, flag) => {
      const exchange = await whileUnavailable(trial, flag === '' ? [] : [[flag, 'true']])
      if (exchange.response.status !== tokenErrors.server_error.alsoStatus)
        throw new Untestable(`an unavailable token endpoint (${describeResponse(exchange)})`)
      const seconds = retryAfterSeconds(exchange, Date.now())
      expectThat(seconds !== undefined, { expected: 'Retry-After', actual: 'no Retry-After', exchange })
      if (flag !== '') return
      expectThat(stringAt(bodyOf(exchange), 'error') === 'server_error', {
        expected: 'server_error, because the token endpoint is unavailable',
        actual: describeResponse(exchange),
        exchange,
        strength: 'decided',
      })
    },
  ),
})

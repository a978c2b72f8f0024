import { always, onApi, rules } from '../../check/rule.ts'
import { anonymous } from '../../http/authorization.ts'
import { digestChallengeOf } from '../../http/challenge.ts'
import { expectThat } from '../../model/expect.ts'

export default rules({
  'auth.challenge-not-stale': always(
    async (trial) => {
      const exchange = await trial.try({ as: anonymous })
      const challenge = digestChallengeOf(exchange.response.headers)
      const stale = challenge?.parameters.stale
      expectThat(stale?.toLowerCase() === 'false', {
        expected: 'a Digest challenge with stale=false',
        actual: challenge === undefined ? 'no Digest challenge' : `stale=${stale ?? 'nothing'}`,
        exchange,
      })
    },
    { at: onApi, phase: 'read' },
  ),
})

import { always, forEach, onApi, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { anonymous } from '../../http/authorization.ts'
import { digestChallengeOf } from '../../http/challenge.ts'
import type { DigestInput } from '../../http/digest.ts'
import type { Cell } from '../../model/api.ts'
import { expectThat, isSuccess } from '../../model/expect.ts'
import { otherEnd, respondToChallenge, staleOf } from '../../resources/digest-responses.ts'

const mistakes = {
  'wrong private key': (input: DigestInput) => ({ ...input, password: otherEnd(input.password) }),
  'unknown public key': (input: DigestInput) => ({ ...input, username: otherEnd(input.username) }),
  'digest for another method': (input: DigestInput) => ({ ...input, method: 'TRACE' }),
}

type Mistake = keyof typeof mistakes

const isMistake = (name: string): name is Mistake => name in mistakes

/** The nonce matters most if the private key is wrong. One operation is enough for all other mistakes. */
const mistakesAt = ({ operation }: Cell): readonly Mistake[] =>
  operation.id === 'listMatcherFieldNames' ? Object.keys(mistakes).filter(isMistake) : ['wrong private key']

/**
 * Sends wrong credentials with a new nonce, and then correct credentials with the same nonce. If the server accepts the
 * correct credentials, the nonce was valid all the time. A server may accept each nonce only once, so
 * `auth.digest-stale-only-for-expired-nonce` reports all other cases.
 */
const expectNotStale = async (trial: Trial, mistake: Mistake): Promise<void> => {
  const { next } = await respondToChallenge(trial)
  const exchange = await trial.try({ as: next(mistakes[mistake]) })
  if (staleOf(exchange) !== 'true') return
  const read = await trial.callOf('listMatcherFieldNames')
  const isValid = isSuccess(await trial.send({ ...read, as: next() }))
  const expected = 'no stale=true, because the nonce is valid'
  expectThat(!isValid, { expected, actual: 'stale=true', exchange })
}

export default rules({
  'auth.challenge-not-stale': [
    always(
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
    forEach(mistakesAt, (mistake) => mistake, expectNotStale, { at: onApi, phase: 'read' }),
  ],
})

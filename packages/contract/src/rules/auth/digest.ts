import { always, forEach, onApi, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import type { Authorization } from '../../http/authorization.ts'
import type { DigestInput } from '../../http/digest.ts'
import type { Exchange } from '../../http/exchange.ts'
import { expectRefusal, expectServed, expectThat } from '../../model/expect.ts'
import { expectAccepted } from '../../resources/accepted.ts'
import { keyOf, otherEnd, respondToChallenge, staleOf } from '../../resources/digest-responses.ts'

/** The requests are rejected and change nothing, so these checks run in the read phase. */
const refusals = { at: onApi, phase: 'read' } as const

/** Sends a Digest response with exactly one error, and expects the server to reject it. */
const refused = async (
  trial: Trial,
  why: string,
  spoil: (input: DigestInput) => DigestInput,
): Promise<Exchange> => {
  const as: Authorization = { kind: 'digest', key: keyOf(trial), spoil }
  const exchange = await trial.try({ as })
  expectRefusal(exchange, 'UNAUTHORIZED', why)
  return exchange
}

const expired = (trial: Trial): Promise<string> =>
  trial.context.once('expired nonce', async () => {
    const { parameters } = await trial.context.session.challenge()
    await trial.context.prerequisites.advanceClock(24 * 3600)
    return parameters.nonce ?? ''
  })

export default rules({
  'auth.digest-accepted': always((trial) => expectAccepted(trial, 'digest'), { at: onApi }),

  'auth.digest-nonce-reusable': always(
    async (trial) => {
      const { next } = await respondToChallenge(trial)
      const call = await trial.callOf('listMatcherFieldNames')
      expectServed(await trial.send({ ...call, as: next() }))
      expectServed(await trial.send({ ...call, as: next() }), 'a success with the next nonce count')
    },
    {
      at: ({ operation }) =>
        operation.id === 'listMatcherFieldNames' ||
        'one operation is enough, because the behavior is the same for all operations',
      phase: 'read',
    },
  ),

  'auth.digest-wrong-password-refused': always(async (trial) => {
    await refused(trial, 'the private key is wrong', (input) => ({
      ...input,
      password: otherEnd(input.password),
    }))
  }, refusals),

  'auth.digest-unknown-key-refused': always(async (trial) => {
    await refused(trial, 'the public key does not exist', (input) => ({
      ...input,
      username: trial.random.hex(8),
    }))
  }, refusals),

  'auth.digest-uri-checked': always(async (trial) => {
    const as: Authorization = {
      kind: 'digest',
      key: keyOf(trial),
      spoil: (input) => ({ ...input, uri: `${input.uri}/x` }),
    }
    const exchange = await trial.try({ as })
    const { status } = exchange.response
    // RFC 7616 §3.4.6 requires a 400, but the specification says that wrong credentials return 401.
    expectThat(status === 400 || status === 401, {
      expected: 'an error response',
      actual: `status ${status}`,
      exchange,
    })
  }, refusals),

  'auth.digest-method-checked': always(async (trial) => {
    await refused(trial, 'the digest was calculated for another method', (input) => ({
      ...input,
      method: 'TRACE',
    }))
  }, refusals),

  'auth.digest-forged-nonce-refused': forEach(
    () => ['fabricated', 'changed', 'empty'] as const,
    (kind) => kind,
    async (trial, kind) => {
      const forged = { fabricated: () => trial.random.hex(32), changed: otherEnd, empty: () => '' }[kind]
      await refused(trial, `the nonce is ${kind}`, (input) => ({ ...input, nonce: forged(input.nonce) }))
    },
    refusals,
  ),

  'auth.digest-nonce-count-not-repeated': always(
    async (trial) => {
      // The first request is valid and changes something, so the check uses its own resources.
      const { parameters } = await trial.good()
      const { next, repeated } = await respondToChallenge(trial)
      expectServed(
        await trial.try({ as: next(), parameters }),
        'a success when the nonce count is used for the first time',
      )
      const again = await trial.try({ as: repeated(), parameters })
      expectRefusal(again, 'UNAUTHORIZED', 'the nonce count was already used')
    },
    { at: onApi },
  ),

  'auth.digest-stale-only-for-expired-nonce': [
    always(async (trial) => {
      const why = 'the private key is wrong'
      const exchange = await refused(trial, why, (input) => ({
        ...input,
        password: otherEnd(input.password),
      }))
      const stale = staleOf(exchange)
      expectThat(stale !== 'true', { expected: 'no stale=true', actual: `stale=${stale}`, exchange })
    }, refusals),
    forEach(
      () => ['right', 'wrong'] as const,
      (password) => `expired nonce, ${password} password`,
      async (trial, password) => {
        const nonce = await expired(trial)
        const spoil = (input: DigestInput): DigestInput => ({
          ...input,
          nonce,
          password: password === 'right' ? input.password : otherEnd(input.password),
        })
        const exchange = await refused(trial, 'the nonce has expired', spoil)
        const [stale, expected] = [staleOf(exchange) === 'true', password === 'right']
        expectThat(stale === expected, { expected: `stale=${expected}`, actual: `stale=${stale}`, exchange })
      },
      { at: onApi, phase: 'alone' },
    ),
  ],
})

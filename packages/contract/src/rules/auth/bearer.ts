import { always, forEach, onApi, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { anonymous, type ServiceAccount } from '../../http/authorization.ts'
import { describeResponse, expectError, expectRefusal, expectSuccess, isSuccess } from '../../model/expect.ts'
import { Untestable } from '../../model/signals.ts'
import { expectAccepted } from '../../resources/accepted.ts'
import { otherEnd } from '../../resources/digest-responses.ts'
import { allowedHolder, authorizationOf, rolesFor } from '../../run-context/holders.ts'

const refusals = { at: onApi, phase: 'read' } as const

const accountOf = ({ cell, context }: Trial): ServiceAccount => {
  const as = authorizationOf(allowedHolder(context.target, cell), 'bearer', rolesFor(cell))
  if (as.kind !== 'bearer') throw new TypeError('a service account authenticates by Bearer')
  return as.account
}

const garbage = ['Bearer garbage', 'Bearer', 'Bearer a.b.c', 'Bearer null', 'Bearer %00'] as const

const otherSchemes = [
  'Basic',
  'Token',
  'Negotiate',
  'Digest',
  'Digest username="x"',
  'Digest ,,,=',
  'Digest username="x", nonce="',
  '=====',
] as const

export default rules({
  'auth.no-credentials-refused': always(async (trial) => {
    expectRefusal(await trial.try({ as: anonymous }), 'UNAUTHORIZED', 'no credentials were sent')
  }, refusals),

  'auth.wrong-scheme-refused': forEach(
    () => otherSchemes,
    (scheme) => scheme,
    async (trial, scheme) => {
      const secret = Buffer.from(`nobody:${trial.random.hex(16)}`).toString('base64')
      const value = /^\w+$/.test(scheme) ? `${scheme} ${secret}` : scheme
      const exchange = await trial.try({ as: { kind: 'verbatim', value } })
      expectRefusal(exchange, 'UNAUTHORIZED', 'the operation does not accept this authentication scheme')
    },
    refusals,
  ),

  'auth.bearer-accepted': always((trial) => expectAccepted(trial, 'bearer'), { at: onApi }),

  /** A token without the Bearer scheme is rejected. A first request shows that the token is valid. */
  'auth.bearer-in-authorization': always(
    async (trial) => {
      const { value: token } = await trial.context.session.token(accountOf(trial))
      const sent = await trial.try({ as: { kind: 'verbatim', value: `Bearer ${token}` } })
      expectSuccess(sent, 'a success for the token in the Authorization header with the Bearer scheme')
      const bare = await trial.try({ as: { kind: 'verbatim', value: token } })
      expectRefusal(bare, 'UNAUTHORIZED', 'the Authorization header has the token without the Bearer scheme')
    },
    {
      at: ({ operation }) =>
        operation.id === 'listMatcherFieldNames' ||
        'one operation is enough, because the behavior is the same for all operations',
      phase: 'read',
    },
  ),

  /** The scheme name isn't case-sensitive. A separate requirement checks that the scheme works at all. */
  'auth.scheme-in-any-case': always(
    async (trial) => {
      const { value: token } = await trial.context.session.token(accountOf(trial))
      const withScheme = (scheme: string) =>
        trial.try({ as: { kind: 'verbatim', value: `${scheme} ${token}` } })
      const capitalized = await withScheme('Bearer')
      if (!isSuccess(capitalized))
        throw new Untestable(`a call that succeeds with a token (${describeResponse(capitalized)})`)
      for (const scheme of ['bearer', 'BEARER'])
        expectSuccess(await withScheme(scheme), `a success if the scheme is written as ${scheme}`)
    },
    {
      at: ({ operation }) =>
        operation.id === 'listMatcherFieldNames' ||
        'one operation is enough, because the behavior is the same for all operations',
      phase: 'read',
    },
  ),

  'auth.bearer-garbage-refused': [
    forEach(
      () => garbage,
      (value) => value,
      async (trial, value) => {
        const exchange = await trial.try({ as: { kind: 'verbatim', value } })
        expectRefusal(exchange, 'UNAUTHORIZED', 'the token endpoint did not issue this token')
      },
      refusals,
    ),
    forEach(
      () => ['changed', 'cut'] as const,
      (kind) => `token ${kind}`,
      async (trial, kind) => {
        const { value: token } = await trial.context.session.token(accountOf(trial))
        const value = `Bearer ${kind === 'cut' ? token.slice(0, -1) : otherEnd(token)}`
        const exchange = await trial.try({ as: { kind: 'verbatim', value } })
        expectRefusal(exchange, 'UNAUTHORIZED', `the token was ${kind}`)
      },
      refusals,
    ),
  ],

  'auth.bearer-expired-refused': always(
    async (trial) => {
      const { session, prerequisites } = trial.context
      const account = accountOf(trial)
      const token = await trial.context.once(`expired token of ${account.clientId}`, async () => {
        const { value, seconds } = await session.token(account)
        await prerequisites.advanceClock(seconds + 1)
        return value
      })
      const exchange = await trial.try({ as: { kind: 'verbatim', value: `Bearer ${token}` } })
      expectRefusal(exchange, 'UNAUTHORIZED', 'the token has expired')
    },
    { at: onApi, phase: 'alone' },
  ),

  'auth.bearer-in-query-refused': always(async (trial) => {
    const { value: token } = await trial.context.session.token(accountOf(trial))
    const exchange = await trial.try({ as: anonymous, query: [['access_token', token]] })
    expectRefusal(exchange, 'UNAUTHORIZED', 'a token in the query string is not a credential')
  }, refusals),

  // This check uses only Digest, because clients whose address isn't on the access list can't get a token.
  'auth.access-list-enforced': always(async (trial) => {
    const restricted = trial.context.target.others?.restricted
    if (restricted === undefined) throw new Untestable('credentials whose access list excludes the caller')
    const as = authorizationOf(restricted, 'digest', 'a caller whose address is not on the access list')
    expectError(await trial.try({ as }), 'IP_NOT_ALLOWED', "the caller's address is not on the access list")
  }, refusals),
})

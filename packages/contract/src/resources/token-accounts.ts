import { limits, type TokenErrorCode } from '@svc-admin/types'
import type { Trial } from '../check/trial.ts'
import { stringAt } from '../document/json.ts'
import type { ServiceAccount } from '../http/authorization.ts'
import type { Exchange } from '../http/exchange.ts'
import { bodyOf, describeResponse, expectThat } from '../model/expect.ts'
import { Untestable } from '../model/signals.ts'

/** @param genuine Whether the token endpoint should accept the account. */
export const basic = (account: ServiceAccount, genuine = false) =>
  ({ kind: 'basic', account, genuine }) as const

/** Returns an account for which no other check requests tokens at the same time. */
export const spareAccount = ({ context }: Trial): ServiceAccount => {
  const account = Object.values(context.target.roles).at(-1)?.serviceAccount
  if (account === undefined) throw new Untestable('a service account')
  return account
}

/**
 * Returns an account that only this check uses, so that no other requests count toward its limit. If the kit can't seed
 * an account, returns the spare account. If the kit can advance the clock, this function first waits until the spare
 * account's limit is reset.
 */
export const freshAccount = async (trial: Trial): Promise<ServiceAccount> => {
  const { prerequisites } = trial.context
  if (!prerequisites.canSeed) {
    if (prerequisites.canMoveClock) await prerequisites.advanceClock(limits.tokenRequests.windowSeconds + 1)
    return spareAccount(trial)
  }
  return seededAccount(trial)
}

/**
 * Seeds an account that only this check uses.
 *
 * @param accessList The addresses and ranges from which the account can be used. By default, the account has no list.
 */
export const seededAccount = async (
  { context, random }: Trial,
  accessList?: readonly string[],
): Promise<ServiceAccount> => {
  const { prerequisites, runTag, target } = context
  const { groupId = '' } = target.things
  const account = {
    clientId: `svc_sa_${random.hex(24)}`,
    clientSecret: `svc_ss_${random.hex(40)}`,
  }
  const roles = [{ role: 'PROJECT_READ_ONLY', groupId }]
  const row = { ...account, label: runTag, roles, ...(accessList && { accessList }) }
  await prerequisites.seed({ serviceAccounts: [row] })
  return account
}

/** Returns an account with an access list that doesn't contain the caller's address. */
export const restrictedAccount = ({ context }: Trial): ServiceAccount => {
  const account = context.target.others?.restricted?.serviceAccount
  if (account === undefined) throw new Untestable('a service account whose access list excludes the caller')
  return account
}

/** Expects the response to contain this error code. A separate requirement checks the status. */
export const expectTokenError = (exchange: Exchange, error: TokenErrorCode, why: string): void =>
  expectThat(exchange.response.status >= 400 && stringAt(bodyOf(exchange), 'error') === error, {
    expected: `${error}: ${why}`,
    actual: describeResponse(exchange),
    exchange,
  })

import { limits } from '@svc-admin/types'
import type { Trial } from '../check/trial.ts'
import type { ServiceAccount } from '../http/authorization.ts'
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
  const { prerequisites, runTag, target } = trial.context
  const { groupId = '' } = target.things
  if (!prerequisites.canSeed) {
    if (prerequisites.canMoveClock) await prerequisites.advanceClock(limits.tokenRequests.windowSeconds + 1)
    return spareAccount(trial)
  }
  const account = {
    clientId: `svc_sa_${trial.random.hex(24)}`,
    clientSecret: `svc_ss_${trial.random.hex(40)}`,
  }
  const roles = [{ role: 'PROJECT_READ_ONLY', groupId }]
  await prerequisites.seed({ serviceAccounts: [{ ...account, label: runTag, roles }] })
  return account
}

import { type RoleId, roles } from '@svc-admin/types'
import { always, type Rule } from '../check/rule.ts'
import type { Trial } from '../check/trial.ts'
import type { Authorization } from '../http/authorization.ts'
import { expectRefusal, expectSuccess } from '../model/expect.ts'
import { anyAuthorizationOf } from '../run-context/holders.ts'

const holderOf = ({ context }: Trial, role: RoleId): Authorization =>
  anyAuthorizationOf(context.target.roles[role], `a holder of ${role}`)

/** Expects that the role `needed` is sufficient to call the operation under test, and that `other` isn't. */
export const needsRole = (needed: RoleId, other: RoleId): readonly Rule[] => [
  always(
    async (trial) =>
      expectSuccess(
        await trial.try({ as: holderOf(trial, needed) }),
        `a success for a holder of ${roles[needed].name}`,
      ),
    { label: 'sufficient role' },
  ),
  always(
    async (trial) =>
      expectRefusal(
        await trial.try({ as: holderOf(trial, other) }),
        'INSUFFICIENT_ROLE',
        `the caller holds only ${roles[other].name}`,
      ),
    { label: 'insufficient role' },
  ),
]

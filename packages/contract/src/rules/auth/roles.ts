import { type RoleId, roles } from '@svc-admin/types'
import { both, forEach, inScope, onApi, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { objectAt } from '../../document/json.ts'
import type { Strength } from '../../document/strength.ts'
import type { Authorization } from '../../http/authorization.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Cell } from '../../model/api.ts'
import { expectError, expectRefusal, expectRefused, expectServed, isSuccess } from '../../model/expect.ts'
import { Untestable } from '../../model/signals.ts'
import { forForeign } from '../../resources/foreign.ts'
import { elsewhereRefused, oneOfSeveralSuffices } from '../../resources/several-roles.ts'
import {
  anyAuthorizationOf,
  authorizationOf,
  isAllowed,
  type Scheme,
  withIncludedRoles,
} from '../../run-context/holders.ts'
import { roleIds } from '../../target/role-ids.ts'

const schemes: readonly Scheme[] = ['digest', 'bearer']

interface Attempt {
  readonly role: RoleId
  readonly scheme: Scheme
}

const attempts = (chosen: (role: RoleId, cell: Cell) => boolean) => (cell: Cell) =>
  roleIds.filter((role) => chosen(role, cell)).flatMap((role) => schemes.map((scheme) => ({ role, scheme })))

const label = ({ role, scheme }: Attempt): string => `${role} ${scheme}`

const as = (trial: Trial, { role, scheme }: Attempt): Authorization => {
  const holder = trial.context.target.roles[role]
  if (holder === undefined) throw new Untestable(`credentials of a holder of ${role}`)
  return authorizationOf(holder, scheme, role)
}

/** Returns the strength of the operation's roles. The document marks the roles that are our decision. */
const strengthOf = ({ definition }: Cell): Strength =>
  'roles' in objectAt(definition.node, 'x-decided') ? 'decided' : 'stated'

const serves = async (trial: Trial, attempt: Attempt): Promise<void> =>
  expectServed(
    await trial.try({ as: as(trial, attempt) }),
    `a success for a holder of ${roles[attempt.role].name}`,
    strengthOf(trial.cell),
  )

const names = (role: RoleId, { row }: Cell): boolean => row.roles.includes(role)

const needsAny = ({ row }: Cell): boolean => row.roles.includes('ANY')

const needsSome = (cell: Cell): true | string => !needsAny(cell) || 'any role is sufficient'

/**
 * Returns whether the role allows the operation only because it includes another role. According to the role
 * table, some organization roles also apply to projects.
 */
const contains = (role: RoleId, cell: Cell): boolean =>
  !names(role, cell) && !needsAny(cell) && isAllowed(role, cell)

type Stranger = 'noRole' | 'otherProject'

const inProject = ({ operation }: Cell): boolean => operation.pathParameters.includes('groupId')

/**
 * Returns the callers without a sufficient role. The owner of another project has a role there and in the organization.
 */
const roleless = (cell: Cell): readonly Stranger[] =>
  inProject(cell) ? ['noRole', 'otherProject'] : ['noRole']

/** Sends a valid request as a caller who has no role in the project or organization. */
const tryAs = async (trial: Trial, who: Stranger): Promise<Exchange> => {
  const callerName = who === 'noRole' ? 'a caller without a role' : 'an owner of another project'
  return trial.try({ as: anyAuthorizationOf(trial.context.target.others?.[who], callerName) })
}

export default rules({
  'roles.needed-role-suffices': [
    forEach(attempts(names), label, serves, { at: both(onApi, needsSome) }),
    oneOfSeveralSuffices,
  ],

  'roles.containing-role-suffices': forEach(attempts(contains), label, serves, {
    at: both(onApi, needsSome),
  }),

  'roles.any-role-suffices': forEach(
    attempts(() => true),
    label,
    serves,
    { at: both(onApi, (cell) => needsAny(cell) || 'a particular role is needed') },
  ),

  'roles.other-role-refused': [
    forEach(
      attempts((role, cell) => !isAllowed(role, cell)),
      label,
      async (trial, attempt) => {
        const exchange = await trial.try({ as: as(trial, attempt) })
        const heldRoles = [...withIncludedRoles(attempt.role)].map((role) => roles[role].name).join(', ')
        expectRefusal(
          exchange,
          'INSUFFICIENT_ROLE',
          `the caller holds only ${heldRoles}`,
          strengthOf(trial.cell),
        )
      },
      { at: both(onApi, needsSome), phase: 'read' },
    ),
    elsewhereRefused,
  ],

  'roles.without-role-refused': [
    forEach(
      roleless,
      (who) => who,
      async (trial, who) =>
        expectRefused(await tryAs(trial, who), 'the caller has no role in the project or organization'),
      { at: onApi, phase: 'read' },
    ),
    ...forForeign(async (exchange, why, isUnknown) => {
      if (isSuccess(exchange) && (await isUnknown()))
        throw new Untestable('a server that rejects requests for unknown resources')
      expectRefused(exchange, why)
    }),
  ],

  /** Tests one insufficient role for each operation. The rule above tests all other insufficient roles. */
  'roles.other-role-refused-code': forEach(
    (cell) => attempts((role) => !isAllowed(role, cell))(cell).slice(0, 1),
    label,
    async (trial, attempt) =>
      expectError(
        await trial.try({ as: as(trial, attempt) }),
        'INSUFFICIENT_ROLE',
        `the caller holds only ${roles[attempt.role].name}`,
      ),
    { at: both(onApi, needsSome), phase: 'read' },
  ),

  'roles.stranger-learns-nothing': forEach(
    roleless,
    (who) => who,
    async (trial, who) =>
      expectError(
        await tryAs(trial, who),
        'RESOURCE_NOT_FOUND',
        'the caller has no role in the project or organization',
      ),
    { at: both(onApi, inScope), phase: 'read' },
  ),
})

import { operations } from '@svc-admin/types'
import { namesCluster, namesUnnameable, unnamedInBody } from '../given/body-resources.ts'
import { anInstance, isApart, lacksInstance } from '../given/clusters.ts'
import { needsCopy, usesSharedState } from '../given/copies.ts'
import { parametersFromRun } from '../given/given.ts'
import type { Cell } from '../model/api.ts'
import { requirementOf } from '../model/requirement.ts'
import type { Case } from '../run/plan.ts'
import { holderOf, isAllowed, rolesFor } from '../run-context/holders.ts'
import { roleIds } from '../target/role-ids.ts'
import type { Holder, Target } from '../target/target.ts'

/** A missing prerequisite, and what can't be tested without it. */
export interface MissingPrerequisite {
  readonly what: string
  readonly then: string
}

type Concern = (one: Case) => boolean

type Area = (typeof operations)[keyof typeof operations]['area']

const inAreas =
  (...areas: readonly Area[]): Concern =>
  ({ cell }) =>
    areas.some((area) => area === cell.operation.area)

const about =
  (...beginnings: readonly string[]): Concern =>
  ({ requirement }) =>
    beginnings.some((beginning) => requirement.startsWith(beginning))

const either =
  (...concerns: readonly Concern[]): Concern =>
  (one) =>
    concerns.some((concern) => concern(one))

const names =
  (...parameters: readonly string[]): Concern =>
  ({ cell }) =>
    cell.operation.pathParameters.some((name) => parameters.includes(name))

const asksForTokens: Concern = ({ cell }) => cell.operation.security === 'client-credentials'

/** Selects checks for roles and authentication. */
const callers = about('auth.', 'roles.', 'errors.code')

const alerts = inAreas('Alerts', 'Alert Configurations')
const logs = inAreas('Access Tracking')

/** In these areas, the platform runs jobs that can fail on their own. */
const platform = inAreas('Cloud Backups', 'Cloud Migration', 'Cluster Outage Simulation', 'Search')

/** Checks that advance the clock run alone. Checks that use shared state also run alone, but don't need the clock. */
const timed: Concern = ({ phase, cell }) => phase === 'alone' && !usesSharedState(cell)

const ownAreas = new Set<string>(Object.values(operations).map(({ area }) => area))

/** Unlike other requirements, requirements that belong to an area usually need resources in a specific state. */
const isAreaRequirement: Concern = ({ requirement }) => ownAreas.has(requirementOf(requirement).area)

const changesForeign: Concern = (one) =>
  about('identifiers.foreign', 'roles.without-role')(one) && one.cell.operation.method !== 'GET'

const canSeed = ({ control, hooks = {} }: Target): boolean =>
  control !== undefined || (hooks.seed !== undefined && hooks.unseed !== undefined)

/** Returns whether a check reads resources that it has to create first. */
const createsWhatItReads: Concern = ({ phase, cell }) => phase === 'write' && cell.operation.method === 'GET'

/** Returns whether a valid call needs a resource that only a hook or the sandbox can create. */
const needsSeed = (cell: Cell): boolean => needsCopy(cell) || namesUnnameable(cell)

/** Returns the path and body parameters that checks need but that neither the target file nor the kit provides. */
const unnamedResources = (target: Target, cases: readonly Case[]): string[] => {
  // If the kit can't seed resources, operations that use up a resource are untestable even if the target file names
  // one.
  const helped = cases.filter(({ cell }) => canSeed(target) || !needsSeed(cell))
  const cells = [...new Set(helped.map(({ cell }) => cell))]
  const wanted = cells.flatMap((cell) => [
    ...cell.operation.pathParameters
      .filter(
        (name) =>
          !parametersFromRun.has(name) &&
          (isApart(cell.operation, name) || target.things[name] === undefined) &&
          target.things[`${cell.operation.id}.${name}`] === undefined,
      )
      .map((name) => (isApart(cell.operation, name) ? `${cell.operation.id}.${name}` : name)),
    ...unnamedInBody(cell, target),
  ])
  return [...new Set(wanted)].sort()
}

/** If the target file contains no clusters, reports only the missing clusters and not the missing instance. */
const needsInstance =
  (target: Target): Concern =>
  ({ cell }) =>
    (target.clusters ?? []).length > 0 && lacksInstance(target, cell.operation)

/** Returns the missing roles that the kit needs to call some of the operations. */
const missingRoles = (target: Target, cases: readonly Case[]): string[] => {
  const cells = new Set(cases.map(({ cell }) => cell))
  const holders = roleIds.filter((role) => holderOf(target, role))
  const closed = [...cells].filter(
    (cell) => cell.operation.security === 'api' && !holders.some((role) => isAllowed(role, cell)),
  )
  return [...new Set(closed.map(rolesFor))]
}

/** Reports a prerequisite as missing if it isn't `present` and at least one case needs it. */
type Need = (present: unknown, concern: Concern, what: string, then: string) => void

const needCredentials = (need: Need, target: Target, cases: readonly Case[]): void => {
  const { others = {} } = target
  const without = (kind: keyof Holder): string =>
    roleIds.filter((role) => !target.roles[role]?.[kind]).join(', ')
  const [keys, accounts] = [without('apiKey'), without('serviceAccount')]
  need(
    keys === '',
    callers,
    `API keys of ${keys}`,
    'Not tested: permissions of these roles with Digest authentication.',
  )
  need(
    accounts === '',
    either(callers, asksForTokens),
    `service accounts of ${accounts}`,
    'Not tested: permissions of these roles with bearer tokens.',
  )
  for (const roles of missingRoles(target, cases))
    need(
      false,
      () => true,
      `credentials of ${roles}`,
      'Not tested: operations that require one of these roles.',
    )
  need(
    others.noRole,
    callers,
    'credentials without any role',
    'Not tested: responses to callers without a role.',
  )
  need(
    others.otherProject,
    callers,
    'credentials for another project',
    'Not tested: responses to callers from another project.',
  )
  need(
    others.restricted,
    about('auth.access-list', 'issueToken.access-list'),
    'credentials whose access list excludes you',
    'Not tested: IP access lists.',
  )
}

const needResources = (need: Need, target: Target, cases: readonly Case[]): void => {
  const { control, hooks = {} } = target
  const unnamed = unnamedResources(target, cases)
  need(
    target.foreign,
    about('identifiers.foreign', 'roles.without-role'),
    'identifiers of another tenant',
    'Not tested: isolation between tenants.',
  )
  need(
    target.foreign === undefined || target.foreignMayBeLost,
    changesForeign,
    "permission to change another tenant's resources (foreignMayBeLost)",
    'Isolation between tenants is tested only with read operations.',
  )
  need(
    unnamed.length === 0,
    () => true,
    `the ${unnamed.join(', ')} of existing resources`,
    'Not tested: operations on these resources.',
  )
  need(
    target.clusters?.length,
    either(
      names('clusterName', 'hostname'),
      ({ cell }) => namesCluster(cell) && (canSeed(target) || !needsSeed(cell)),
    ),
    'clusters by tier',
    'Not tested: cluster resources.',
  )
  need(false, needsInstance(target), anInstance, 'Not tested: operations on these resources.')
  need(control ?? hooks.raiseEvent, alerts, 'a way to raise events', 'Not tested: alert lifecycles.')
  need(
    control ?? hooks.outbox,
    about('alert.', 'acknowledgeAlert.'),
    'a way to read sent notifications',
    'Not tested: alert notifications.',
  )
  need(
    control,
    about('issueToken.unavailable'),
    'the control interface of a sandbox',
    'Not tested: an unavailable token endpoint.',
  )
  need(control ?? hooks.advanceClock, timed, 'a way to advance the clock', 'Not tested: expiry.')
  need(
    control ?? hooks.addAccessLogs,
    logs,
    'a way to add access logs',
    'Access log filters are tested only on existing entries.',
  )
  need(
    canSeed(target),
    (one) =>
      needsSeed(one.cell) ||
      createsWhatItReads(one) ||
      about(
        'resources.',
        'bodies.optional-fields-apart',
        'alert.in-one-project',
        'issueToken.access-list',
      )(one) ||
      about('roles.needed-role-suffices', 'roles.other-role-refused')(one) ||
      (isAreaRequirement(one) && !either(alerts, logs, asksForTokens)(one)),
    'a way to seed and remove resources',
    "Not tested: operations that use up resources, and states that the API can't create.",
  )
  need(
    control ?? hooks.arrange,
    (one) => platform(one) && isAreaRequirement(one),
    'a way to trigger platform actions',
    'Not tested: job failures caused by the platform.',
  )
}

/**
 * Returns the prerequisites that these checks need but the target doesn't have.
 *
 * @example
 * missingPrerequisitesOf(target, kit.plan.cases) // [{ what: 'a way to raise events', then: 'Not tested: alert
 * lifecycles.' }]
 */
export const missingPrerequisitesOf = (target: Target, cases: readonly Case[]): MissingPrerequisite[] => {
  const found: MissingPrerequisite[] = []
  const need: Need = (present, concern, what, then) => {
    if (!present && cases.some(concern)) found.push({ what, then })
  }
  needCredentials(need, target, cases)
  needResources(need, target, cases)
  return found
}

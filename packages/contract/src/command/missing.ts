import { operations } from '@svc-admin/types'
import type { Cell } from '../engine/api.ts'
import type { Case } from '../engine/plan.ts'
import { requirementOf } from '../engine/requirement.ts'
import { namesCluster, namesUnnameable, unnamedInBody } from '../given/body-resources.ts'
import { anInstance, isApart, lacksInstance } from '../given/clusters.ts'
import { needsCopy, usesSharedState } from '../given/copies.ts'
import { parametersFromRun } from '../given/given.ts'
import { holderOf, isAllowed, roleIds, rolesFor } from '../run-context/holders.ts'
import type { Holder, Target } from '../target/target.ts'

/** Something that a target does not give, and what is not tried without it. */
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

/** Who may call at all, and how. */
const callers = about('auth.', 'roles.', 'errors.code')

const alerts = inAreas('Alerts', 'Alert Configurations')
const logs = inAreas('Access Tracking')

/** Areas in which jobs run, and fail, by themselves. */
const platform = inAreas('Cloud Backups', 'Cloud Migration', 'Cluster Outage Simulation', 'Search')

/** Time is let pass where nothing else runs; what all share is used up there too. */
const timed: Concern = ({ phase, cell }) => phase === 'alone' && !usesSharedState(cell)

const ownAreas = new Set<string>(Object.values(operations).map(({ area }) => area))

/** What operations promise for themselves is told by their states; what all promise, mostly not. */
const ownPromise: Concern = ({ requirement }) => ownAreas.has(requirementOf(requirement).area)

const changesForeign: Concern = (one) =>
  about('identifiers.foreign', 'roles.without-role')(one) && one.cell.operation.method !== 'GET'

const canSeed = ({ control, hooks = {} }: Target): boolean =>
  control !== undefined || (hooks.seed !== undefined && hooks.unseed !== undefined)

/** What only reads writes where it has things of its own to read. */
const putsInPlace: Concern = ({ phase, cell }) => phase === 'write' && cell.operation.method === 'GET'

/** Whether a good call needs what nothing but a hook or the sandbox can put in place. */
const needsSeed = (cell: Cell): boolean => needsCopy(cell) || namesUnnameable(cell)

/** Things in the paths and bodies of some checks that neither the target names nor a run can make. */
const unnamed = (target: Target, cases: readonly Case[]): string[] => {
  // What calls use up has to be put in place: to name it is no help as long as that cannot be done.
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

/** Where no cluster is lent at all, that is told. */
const needsInstance =
  (target: Target): Concern =>
  ({ cell }) =>
    (target.clusters ?? []).length > 0 && lacksInstance(target, cell.operation)

/** Roles of whom somebody would have to be known for operations that nobody known may call. */
const uncalled = (target: Target, cases: readonly Case[]): string[] => {
  const cells = new Set(cases.map(({ cell }) => cell))
  const holders = roleIds.filter((role) => holderOf(target, role))
  const closed = [...cells].filter(
    (cell) => cell.operation.security === 'api' && !holders.some((role) => isAllowed(role, cell)),
  )
  return [...new Set(closed.map(rolesFor))]
}

/**
 * What a target lacks for some checks, in words: nothing that none of them needs.
 *
 * @example
 * lacksOf(target, kit.plan.cases) // [{ what: 'a way to raise events', then: 'the life of alerts is not tried' }]
 */
export const missingPrerequisitesOf = (target: Target, cases: readonly Case[]): MissingPrerequisite[] => {
  const { control, hooks = {}, others = {} } = target
  const found: MissingPrerequisite[] = []
  const need = (present: unknown, concern: Concern, what: string, then: string): void => {
    if (!present && cases.some(concern)) found.push({ what, then })
  }
  const without = (kind: keyof Holder): string =>
    roleIds.filter((role) => !target.roles[role]?.[kind]).join(', ')
  const [keys, accounts, things] = [without('apiKey'), without('serviceAccount'), unnamed(target, cases)]
  need(keys === '', callers, `API keys of ${keys}`, 'what these roles may do is not tried with Digest')
  need(
    accounts === '',
    either(callers, asksForTokens),
    `service accounts of ${accounts}`,
    'what these roles may do is not tried with Bearer',
  )
  for (const roles of uncalled(target, cases))
    need(false, () => true, `credentials of ${roles}`, 'nobody else may call some of the operations')
  need(others.noRole, callers, 'credentials without any role', 'what a stranger learns is not tried')
  need(others.otherProject, callers, 'credentials of another project', 'what a neighbour learns is not tried')
  need(
    others.restricted,
    about('auth.access-list', 'issueToken.access-list'),
    'credentials whose access list excludes you',
    'access lists are not tried',
  )
  need(
    target.foreign,
    about('identifiers.foreign', 'roles.without-role'),
    'identifiers of another tenant',
    'that tenants are apart is not tried',
  )
  need(
    target.foreign === undefined || target.foreignMayBeLost,
    changesForeign,
    'leave to change what belongs to another tenant (foreignMayBeLost)',
    'that tenants are apart is tried with what only reads',
  )
  need(
    things.length === 0,
    () => true,
    `the ${things.join(', ')} of something that exists`,
    'operations on these are not tried',
  )
  need(
    target.clusters?.length,
    either(
      names('clusterName', 'hostname'),
      ({ cell }) => namesCluster(cell) && (canSeed(target) || !needsSeed(cell)),
    ),
    'clusters by tier',
    'what clusters have is not tried',
  )
  need(false, needsInstance(target), anInstance, 'operations on these are not tried')
  need(control ?? hooks.raiseEvent, alerts, 'a way to raise events', 'the life of alerts is not tried')
  need(
    control ?? hooks.outbox,
    about('alert.', 'acknowledgeAlert.'),
    'a way to read the notifications that were sent',
    'who is told of an alert is not tried',
  )
  need(control ?? hooks.advanceClock, timed, 'a way to move the clock', 'what expires is not tried')
  need(control ?? hooks.addAccessLogs, logs, 'a way to add access logs', 'filters are tried on what is there')
  need(
    canSeed(target),
    (one) =>
      needsSeed(one.cell) ||
      putsInPlace(one) ||
      (ownPromise(one) && !either(alerts, logs, asksForTokens)(one)),
    'a way to put things in place and take them away',
    'what uses things up, and states that the API does not lead to, are not tried',
  )
  need(
    control ?? hooks.arrange,
    (one) => platform(one) && ownPromise(one),
    'a way to arrange what only the platform does',
    'what fails by itself is not tried',
  )
  return found
}

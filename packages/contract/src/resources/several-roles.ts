import { operations, type RoleId, roles, versions } from '@svc-admin/types'
import { forEach, type Rule } from '../check/rule.ts'
import type { Trial } from '../check/trial.ts'
import { type JsonObject, objectAt, stringAt } from '../document/json.ts'
import type { Authorization } from '../http/authorization.ts'
import type { Cell } from '../model/api.ts'
import { describeResponse, expectRefused, expectServed, isSuccess } from '../model/expect.ts'
import { NotApplicable, Untestable } from '../model/signals.ts'
import { isAllowed, type Scheme } from '../run-context/holders.ts'
import { roleIds } from '../target/role-ids.ts'
import { ownCaller, sharedOrganization } from './own-resources.ts'

/** A project, an organization, or a project with its organization. */
interface Place {
  readonly groupId?: string | undefined
  readonly orgId?: string | undefined
}

/** Returns roles in a place. Leaves out roles whose scope isn't known. */
const grantsIn = (place: Place, held: readonly RoleId[]): JsonObject[] =>
  held.flatMap((role) => {
    const name = roles[role].scope === 'organization' ? 'orgId' : 'groupId'
    const id = place[name]
    return id === undefined ? [] : [{ role, [name]: id }]
  })

const projectsOf = ({ context }: Trial): readonly JsonObject[] => context.demo.rows.projects ?? []

/** Returns the place in the path. The kit knows a project's organization only in the demo organization. */
const hereOf = async (trial: Trial): Promise<Place> => {
  const { groupId, orgId } = (await trial.good()).parameters
  const project = projectsOf(trial).find(({ id }) => id === groupId)
  return { groupId, orgId: orgId ?? stringAt(project, 'orgId') }
}

/** Returns another organization with a project, and another project in the same organization if there is one. */
const elsewhereOf = async (trial: Trial, here: Place): Promise<readonly Place[]> => {
  const { groupId, orgId } = await sharedOrganization(trial.context)
  const sibling = projectsOf(trial).find((one) => one.orgId === here.orgId && one.id !== here.groupId)
  return [{ groupId, orgId }, ...(here.groupId && sibling ? [{ groupId: stringAt(sibling, 'id') }] : [])]
}

/** Returns the roles that the operation lists. */
const listedRoles = ({ row }: Cell): readonly RoleId[] =>
  roleIds.filter((role) => row.roles.some((needed) => needed === role))

/** Roles that aren't sufficient here, and sufficient roles in other places. */
const insufficientGrants = async (trial: Trial, here: Place) => {
  const { cell } = trial
  const others = roleIds.filter((role) => !isAllowed(role, cell))
  const places = await elsewhereOf(trial, here)
  return {
    here: grantsIn(here, others),
    elsewhere: places.flatMap((place) => grantsIn(place, listedRoles(cell))),
  }
}

/** Returns a caller with these roles. Checks with the same roles share a caller. */
const callerWith = (
  { context }: Trial,
  scheme: Scheme,
  grants: readonly JsonObject[],
): Promise<Authorization> =>
  context.once(JSON.stringify(['caller', scheme, grants]), () => ownCaller(context, scheme, grants))

/** Returns the operations that require the same roles in the same kind of place, in this generation. */
const alike = ({ operation, row, version }: Cell): readonly string[] => {
  const keyOf = (method: string, parameters: readonly string[], needed: readonly string[]): string =>
    JSON.stringify([method === 'GET', parameters.includes('groupId'), [...needed].sort()])
  const key = keyOf(operation.method, operation.pathParameters, row.roles)
  const ids = versions.filter(({ generation }) => generation === version.generation).map(({ id }) => id)
  return Object.entries(operations)
    .filter(([, { method, pathParameters, versions: rows }]) =>
      Object.entries(rows).some(
        ([id, one]) => ids.some((own) => own === id) && keyOf(method, pathParameters, one.roles) === key,
      ),
    )
    .sort(([, one], [, other]) => one.pathParameters.length - other.pathParameters.length)
    .map(([id]) => id)
}

/**
 * Selects one operation that reads and one that changes data for each set of roles. The operation with the fewest path
 * parameters needs the fewest other resources.
 */
const oneOfAlike = (cell: Cell): true | string => {
  if (cell.operation.security !== 'api') return 'not an operation of the API'
  if (listedRoles(cell).length === 0) return 'any role is sufficient'
  if ('roles' in objectAt(cell.definition.node, 'x-decided')) return 'the required role is our decision'
  return alike(cell)[0] === cell.operation.id || 'one operation is enough for each set of roles'
}

const schemes: readonly Scheme[] = ['digest', 'bearer']
const orders = ['first', 'last'] as const

const combinations = schemes.flatMap((scheme) => orders.map((order) => ({ scheme, order })))

/**
 * Expects a required role to be sufficient for callers who also have other roles, in any order. If the role alone isn't
 * sufficient either, the other roles aren't the cause, and another check reports the error.
 */
export const oneOfSeveralSuffices: Rule = forEach(
  (cell) => listedRoles(cell).flatMap((role) => combinations.map((one) => ({ ...one, role }))),
  ({ role, scheme, order }) => `${role} ${order} of several ${scheme}`,
  async (trial, { role, scheme, order }) => {
    const here = await hereOf(trial)
    const own = grantsIn(here, [role])
    if (own.length === 0) throw new Untestable('the organization of the project')
    const { here: others, elsewhere } = await insufficientGrants(trial, here)
    const more = [...others, ...elsewhere]
    const as = await callerWith(trial, scheme, order === 'first' ? [...own, ...more] : [...more, ...own])
    const exchange = await trial.try({ as })
    if (isSuccess(exchange)) return
    const alone = await trial.try({ as: await callerWith(trial, scheme, own) })
    if (!isSuccess(alone))
      throw new NotApplicable(`${roles[role].name} alone isn't sufficient (${describeResponse(alone)})`)
    expectServed(exchange, `a success for a holder of ${roles[role].name} and other roles`)
  },
  { at: oneOfAlike },
)

/** Expects a rejection if the caller has the required roles only in other places. */
export const elsewhereRefused: Rule = forEach(
  () => combinations,
  ({ scheme, order }) => `required role elsewhere ${order} ${scheme}`,
  async (trial, { scheme, order }) => {
    const { here, elsewhere } = await insufficientGrants(trial, await hereOf(trial))
    const grants = order === 'first' ? [...elsewhere, ...here] : [...here, ...elsewhere]
    const exchange = await trial.try({ as: await callerWith(trial, scheme, grants) })
    expectRefused(exchange, 'the caller has the required roles only in other projects and organizations')
  },
  { at: oneOfAlike, phase: 'read' },
)

import { type RoleId, roles } from '@svc-admin/types'
import type { Cell } from '../engine/api.ts'
import { Untestable } from '../engine/signals.ts'
import type { Authorization } from '../http/authorization.ts'
import type { Holder, Target } from '../target/target.ts'

/** How requests of a run authenticate where it does not matter how. */
export type Scheme = 'digest' | 'bearer'

const isRoleId = (id: string): id is RoleId => Object.hasOwn(roles, id)

/** Every role of the table, in its order. */
export const roleIds: readonly RoleId[] = Object.keys(roles).filter(isRoleId)

/** The role with every role that it contains. */
export const withIncludedRoles = (role: RoleId): ReadonlySet<RoleId> => {
  const all = new Set<RoleId>([role])
  for (const one of all) for (const included of roles[one].includes) all.add(included)
  return all
}

/** Whether a holder of one role may call the operation of a cell. */
export const isAllowed = (role: RoleId, { row }: Cell): boolean => {
  const held = withIncludedRoles(role)
  return row.roles.some((needed) => needed === 'ANY' || held.has(needed))
}

/** Who may call the operation of a cell, as a target file calls them. */
export const rolesFor = ({ row }: Cell): string =>
  row.roles.includes('ANY') ? 'any role' : row.roles.join(' or ')

/** How a holder authenticates by a scheme. */
export const authorizationOf = (holder: Holder, scheme: Scheme, what: string): Authorization => {
  if (scheme === 'digest' && holder.apiKey) return { kind: 'digest', key: holder.apiKey }
  if (scheme === 'bearer' && holder.serviceAccount) return { kind: 'bearer', account: holder.serviceAccount }
  throw new Untestable(scheme === 'digest' ? `an API key of ${what}` : `a service account of ${what}`)
}

/** How a holder authenticates, by whichever scheme the target file gives it credentials for. */
export const anyAuthorizationOf = (holder: Holder | undefined, what: string): Authorization => {
  if (holder?.apiKey) return { kind: 'digest', key: holder.apiKey }
  if (holder?.serviceAccount) return { kind: 'bearer', account: holder.serviceAccount }
  throw new Untestable(`credentials of ${what}`)
}

/** The holder of a role, or `undefined` when the target file has none. */
export const holderOf = (target: Target, role: RoleId): Holder | undefined => {
  const holder = target.roles[role]
  return holder?.apiKey || holder?.serviceAccount ? holder : undefined
}

/** A holder who may call the operation: the first of the table, so always the same one. */
export const allowedHolder = (target: Target, cell: Cell): Holder => {
  const role = roleIds.find((id) => isAllowed(id, cell) && holderOf(target, id))
  const holder = role && holderOf(target, role)
  if (holder === undefined) throw new Untestable(`credentials of a holder of ${rolesFor(cell)}`)
  return holder
}

/** Whose credentials these are, by the target file; checks have credentials of their own besides. */
export const nameOf = ({ roles: held, others = {} }: Target, as: Authorization): string | undefined => {
  const [key, account] = [as.kind === 'digest' ? as.key : undefined, 'account' in as ? as.account : undefined]
  return Object.entries({ ...held, ...others }).find(
    ([, { apiKey, serviceAccount }]) =>
      (key !== undefined && apiKey?.publicKey === key.publicKey) ||
      (account !== undefined && serviceAccount?.clientId === account.clientId),
  )?.[0]
}

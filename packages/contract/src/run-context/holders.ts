import { type RoleId, roles } from '@svc-admin/types'
import type { Authorization } from '../http/authorization.ts'
import type { Cell } from '../model/api.ts'
import { Untestable } from '../model/signals.ts'
import { roleIds } from '../target/role-ids.ts'
import type { Holder, Target } from '../target/target.ts'

/** An authentication scheme for requests to the API. */
export type Scheme = 'digest' | 'bearer'

/** Returns the role and all roles that it includes. */
export const withIncludedRoles = (role: RoleId): ReadonlySet<RoleId> => {
  const all = new Set<RoleId>([role])
  for (const one of all) for (const included of roles[one].includes) all.add(included)
  return all
}

/** Returns whether a caller with this role can call the operation. */
export const isAllowed = (role: RoleId, { row }: Cell): boolean => {
  const held = withIncludedRoles(role)
  return row.roles.some((needed) => needed === 'ANY' || held.has(needed))
}

/** Lists the roles that can call the operation, for messages. */
export const rolesFor = ({ row }: Cell): string =>
  row.roles.includes('ANY') ? 'any role' : row.roles.join(' or ')

/** Returns a holder's credentials for one scheme. */
export const authorizationOf = (holder: Holder, scheme: Scheme, what: string): Authorization => {
  if (scheme === 'digest' && holder.apiKey) return { kind: 'digest', key: holder.apiKey }
  if (scheme === 'bearer' && holder.serviceAccount) return { kind: 'bearer', account: holder.serviceAccount }
  throw new Untestable(scheme === 'digest' ? `an API key of ${what}` : `a service account of ${what}`)
}

/** Returns a holder's credentials for any scheme. The scheme depends on what the target file contains. */
export const anyAuthorizationOf = (holder: Holder | undefined, what: string): Authorization => {
  if (holder?.apiKey) return { kind: 'digest', key: holder.apiKey }
  if (holder?.serviceAccount) return { kind: 'bearer', account: holder.serviceAccount }
  throw new Untestable(`credentials of ${what}`)
}

/** Returns the holder of a role, or `undefined` if the target file contains none. */
export const holderOf = (target: Target, role: RoleId): Holder | undefined => {
  const holder = target.roles[role]
  return holder?.apiKey || holder?.serviceAccount ? holder : undefined
}

/**
 * Returns a holder that can call the operation. Repeated calls return the same holder. Prefers holders of a role that
 * the operation lists, because it's our decision that roles include other roles.
 */
export const allowedHolder = (target: Target, cell: Cell): Holder => {
  const allowed = roleIds.filter((id) => isAllowed(id, cell) && holderOf(target, id))
  const role = allowed.find((id) => cell.row.roles.some((needed) => needed === id)) ?? allowed[0]
  const holder = role && holderOf(target, role)
  if (holder === undefined) throw new Untestable(`credentials of a holder of ${rolesFor(cell)}`)
  return holder
}

/** Returns the name of the credentials in the target file. Credentials that checks have created have no name. */
export const nameOf = ({ roles: held, others = {} }: Target, as: Authorization): string | undefined => {
  const [key, account] = [as.kind === 'digest' ? as.key : undefined, 'account' in as ? as.account : undefined]
  return Object.entries({ ...held, ...others }).find(
    ([, { apiKey, serviceAccount }]) =>
      (key !== undefined && apiKey?.publicKey === key.publicKey) ||
      (account !== undefined && serviceAccount?.clientId === account.clientId),
  )?.[0]
}

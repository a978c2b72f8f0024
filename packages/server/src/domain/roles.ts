import { type RoleId, roles } from '@svc-admin/types'

/** A role that a caller has in an organization or a project. */
export type Grant =
  | { readonly role: RoleId; readonly orgId: string }
  | { readonly role: RoleId; readonly groupId: string }

export interface Scope {
  readonly orgId: string
  readonly groupId?: string
}

export type Access = 'allowed' | 'forbidden' | 'unknown'

const table: Readonly<Record<string, { readonly includes: readonly RoleId[] }>> = roles

const closures = new Map<RoleId, ReadonlySet<RoleId>>()

export function isRole(name: string): name is RoleId {
  return Object.hasOwn(table, name)
}

/** Returns the role and all roles that it includes. */
export function rolesWithin(role: RoleId): ReadonlySet<RoleId> {
  const known = closures.get(role)
  if (known) return known
  const within = new Set<RoleId>([role])
  for (const included of table[role]?.includes ?? []) {
    for (const inner of rolesWithin(included)) within.add(inner)
  }
  closures.set(role, within)
  return within
}

/**
 * Returns whether the caller's roles in the scope include one that the operation accepts. Returns `unknown` if the
 * caller has no role in the scope, because responses must not reveal whether the scope exists.
 */
export function accessTo(
  grants: readonly Grant[],
  scope: Scope,
  needed: readonly (RoleId | 'ANY')[],
): Access {
  let anyThere = false
  for (const grant of grants) {
    if (!isThere(grant, scope)) continue
    anyThere = true
    if (suffices(grant.role, needed)) return 'allowed'
  }
  return anyThere ? 'forbidden' : 'unknown'
}

/**
 * Returns whether the grants include a role that an operation accepts. Call this function for operations that don't
 * belong to an organization or a project.
 */
export function accessAnywhere(grants: readonly Grant[], needed: readonly (RoleId | 'ANY')[]): Access {
  return grants.some((grant) => suffices(grant.role, needed)) ? 'allowed' : 'forbidden'
}

function isThere(grant: Grant, scope: Scope): boolean {
  return 'orgId' in grant ? grant.orgId === scope.orgId : grant.groupId === scope.groupId
}

function suffices(role: RoleId, needed: readonly (RoleId | 'ANY')[]): boolean {
  const within = rolesWithin(role)
  return needed.some((one) => one === 'ANY' || within.has(one))
}

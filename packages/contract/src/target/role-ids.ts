import { type RoleId, roles } from '@svc-admin/types'

const isRoleId = (id: string): id is RoleId => Object.hasOwn(roles, id)

/** Every role, in the role table's order. */
export const roleIds: readonly RoleId[] = Object.keys(roles).filter(isRoleId)

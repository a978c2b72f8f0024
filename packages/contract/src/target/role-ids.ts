import { type RoleId, roles } from '@svc-admin/types'

const isRoleId = (id: string): id is RoleId => Object.hasOwn(roles, id)

/** All roles, in the order of the role table. */
export const roleIds: readonly RoleId[] = Object.keys(roles).filter(isRoleId)

import type { AccessRoleDocument } from '../domain/cloud-provider-access/access-role.ts'
import { Stored } from '../domain/stored.ts'
import { accessRoles } from '../persistence/access-roles.ts'
import { removal } from '../persistence/removal.ts'
import { type Fields, maybeText, text, time } from './fields.ts'
import { seedPathOf } from './seed-path.ts'
import type { Seeding } from './seeding.ts'

/**
 * Seeds an access role. `featureUsages` is ignored, because the server builds it from the resources that use the role.
 */
export async function seedAccessRole({ transaction }: Seeding, fields: Fields): Promise<void> {
  const { self: _self, links: _links, featureUsages: _usages, ...document } = fields
  const authorized = maybeText(fields, 'authorizedDate')
  const id = text(fields, 'roleId')
  await removal.identified(transaction, 'access_roles', id)
  await accessRoles.put(transaction, {
    id,
    groupId: seedPathOf(fields).groupId,
    provider: text(fields, 'providerName'),
    authorizedAt: authorized === undefined ? undefined : time(authorized, 'authorizedDate'),
    createdAt: time(text(fields, 'createdDate'), 'createdDate'),
    document: Stored.from<AccessRoleDocument>(JSON.stringify(document)),
  })
}

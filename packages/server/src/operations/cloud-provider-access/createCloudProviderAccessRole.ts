import { createdRole, uuidOf } from '../../domain/cloud-provider-access/access-role.ts'
import { Stored } from '../../domain/stored.ts'
import { accessRoles } from '../../persistence/access-roles.ts'
import { operation } from '../operation.ts'
import { roleResponse } from './role-response.ts'

export default operation('createCloudProviderAccessRole', async ({ world, path, body, now }) => {
  const provider = body.providerName
  const id = world.ids.next(now)
  const { authorizedAt, document } = createdRole(id, provider, now, () => uuidOf(world.random(16)))
  const role = {
    id,
    groupId: path.groupId,
    provider,
    authorizedAt,
    createdAt: now,
    document: Stored.of(document),
  }
  await accessRoles.put(world.database, role)
  return roleResponse(world.database, role)
})

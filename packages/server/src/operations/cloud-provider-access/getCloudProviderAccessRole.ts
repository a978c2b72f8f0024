import { accessRoles } from '../../persistence/access-roles.ts'
import { operation } from '../operation.ts'
import { roleNotFound, roleResponse } from './role-response.ts'

export default operation('getCloudProviderAccessRole', async ({ world, path }) => {
  const role = await accessRoles.get(world.database, path.groupId, path.roleId)
  if (!role) throw roleNotFound(path.roleId)
  return roleResponse(world.database, role)
})

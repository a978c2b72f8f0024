import { problem } from '../../domain/problem.ts'
import { accessRoles } from '../../persistence/access-roles.ts'
import { featureUsagesOf } from '../../persistence/feature-usages.ts'
import { operation } from '../operation.ts'
import { empty } from '../response.ts'
import { roleNotFound } from './role-response.ts'

/** Deletes a role, even if it was never authorized. */
export default operation('deauthorizeCloudProviderAccessRole', async ({ world, path }) => {
  const { groupId, cloudProvider, roleId } = path
  return world.database.transaction(async (transaction) => {
    const role = await accessRoles.find(transaction, groupId, roleId)
    if (role?.provider !== cloudProvider) throw roleNotFound(roleId)
    const usages = (await featureUsagesOf(transaction, groupId)).get(roleId) ?? []
    if (usages.length > 0) {
      const features = usages.length === 1 ? 'a feature uses' : `${usages.length} features use`
      throw problem('INVALID_STATE', {
        detail: `The access role can't be deauthorized because ${features} it.`,
      })
    }
    await accessRoles.remove(transaction, groupId, roleId)
    return empty
  })
})

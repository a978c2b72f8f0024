import type { CloudProvider } from '../../domain/cloud-provider-access/access-role.ts'
import { type AccessRole, accessRoles } from '../../persistence/access-roles.ts'
import { featureUsagesOf } from '../../persistence/feature-usages.ts'
import { operation } from '../operation.ts'
import { itemsAt } from '../response.ts'
import { shownRole } from './role-response.ts'

/** Lists all roles except GCP roles, because the response in the specification source has no field for GCP roles. */
export default operation('listCloudProviderAccessRoles', async ({ world, path }) => {
  const { groupId } = path
  const roles = await accessRoles.ofProject(world.database, groupId)
  const usages = await featureUsagesOf(world.database, groupId)
  const show = (role: AccessRole) => ({ id: role.id, document: shownRole(role, usages.get(role.id) ?? []) })
  const of = (provider: CloudProvider) => roles.filter((role) => role.provider === provider).map(show)
  return {
    kind: 'lists',
    lists: { awsIamRoles: of('AWS'), azureServicePrincipals: of('AZURE') },
    itemLinks: itemsAt('getCloudProviderAccessRole', { groupId }, 'roleId'),
    self: { operationId: 'listCloudProviderAccessRoles', values: { groupId } },
  }
})

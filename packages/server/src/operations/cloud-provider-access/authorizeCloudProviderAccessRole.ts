import { problem } from '../../domain/problem.ts'
import { Stored } from '../../domain/stored.ts'
import { timestamp } from '../../domain/timestamp.ts'
import { type AccessRole, accessRoles } from '../../persistence/access-roles.ts'
import { type OperationInput, operation } from '../operation.ts'
import { roleNotFound, roleResponse } from './role-response.ts'

type Input = OperationInput<'authorizeCloudProviderAccessRole'>

export default operation('authorizeCloudProviderAccessRole', async (input) => {
  const { world, path } = input
  return world.database.transaction(async (transaction) => {
    const found = await accessRoles.find(transaction, path.groupId, path.roleId)
    if (!found) throw roleNotFound(path.roleId)
    const role = authorized(found, input)
    await accessRoles.put(transaction, role)
    return roleResponse(transaction, role)
  })
})

function authorized(role: AccessRole, { body, now }: Input): AccessRole {
  if (body.providerName !== role.provider) {
    throw problem('VALIDATION_ERROR', {
      detail: `The field /providerName must be ${role.provider}, the role's provider.`,
      parameters: ['/providerName'],
    })
  }
  if (role.authorizedAt !== undefined) {
    throw problem('INVALID_STATE', { detail: 'The access role is already authorized.' })
  }
  const { iamAssumedRoleArn } = body
  const document = {
    ...role.document.value(),
    ...(iamAssumedRoleArn === undefined ? {} : { iamAssumedRoleArn }),
    authorizedDate: timestamp(now),
  }
  return { ...role, authorizedAt: now, document: Stored.of(document) }
}

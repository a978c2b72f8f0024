import { problem } from '../../domain/problem.ts'
import { Stored } from '../../domain/stored.ts'
import { accessRoles } from '../../persistence/access-roles.ts'
import type { Session } from '../../persistence/database.ts'
import { exportBuckets } from '../../persistence/export-buckets.ts'
import { operation } from '../operation.ts'
import { resource } from '../response.ts'

export default operation('createExportBucket', async ({ world, path, body, now }) => {
  const { groupId } = path
  const { bucketName, cloudProvider, iamRoleId } = body
  const id = world.ids.next(now)
  const document = Stored.of({ _id: id, bucketName, cloudProvider, iamRoleId })
  await world.database.transaction(async (transaction) => {
    await requireAuthorized(transaction, groupId, iamRoleId)
    await exportBuckets.put(transaction, { id, groupId, roleId: iamRoleId, createdAt: now, document })
  })
  return resource(document, 'getExportBucket', { groupId, exportBucketId: id })
})

/** Checks that the project has authorized the role that is used to write to the bucket. */
async function requireAuthorized(session: Session, groupId: string, roleId: string): Promise<void> {
  const role = await accessRoles.find(session, groupId, roleId)
  const parameters = ['/iamRoleId']
  if (!role) {
    const detail = `No cloud provider access role with the ID ${roleId} exists in the project.`
    throw problem('RESOURCE_NOT_FOUND', { detail, parameters })
  }
  if (role.authorizedAt !== undefined) return
  throw problem('INVALID_STATE', {
    detail: 'The cloud provider access role is not authorized yet.',
    parameters,
  })
}

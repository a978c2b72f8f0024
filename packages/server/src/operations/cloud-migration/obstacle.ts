import { clusters } from '../../persistence/clusters.ts'
import type { Session } from '../../persistence/database.ts'
import type { OperationInput } from '../operation.ts'

type Destination = OperationInput<'createMigration'>['body']['destination']

/**
 * Returns the problem that prevents a migration, or undefined if there is none. The destination is checked in the
 * background, so the request succeeds but the job fails.
 */
export async function obstacleTo(
  session: Session,
  groupId: string,
  { groupId: destinationGroupId = groupId, clusterName }: Destination,
): Promise<string | undefined> {
  if (destinationGroupId !== groupId) {
    return `The destination is in project ${destinationGroupId}, not in the migration's project.`
  }
  if (clusterName === undefined || (await clusters.byName(session, groupId, clusterName))) return undefined
  return `The destination cluster ${clusterName} does not exist in the project.`
}

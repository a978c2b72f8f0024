import { snapshotNotFound } from '../../domain/backups/not-found.ts'
import { snapshots } from '../../persistence/snapshots.ts'
import { operation } from '../operation.ts'
import { resource } from '../response.ts'
import { backedUpInstance } from './backed-up-cluster.ts'

export default operation('getServerlessSnapshot', async (input) => {
  const { world, path, now } = input
  const { groupId, clusterName, snapshotId } = path
  await backedUpInstance(input)
  const which = { groupId, clusterName, kind: 'serverless', now } as const
  const document = await snapshots.get(world.database, which, snapshotId)
  if (!document) throw snapshotNotFound(snapshotId)
  return resource(document, 'getServerlessSnapshot', path)
})

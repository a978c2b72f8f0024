import { snapshotNotFound } from '../../domain/backups/not-found.ts'
import { snapshots } from '../../persistence/snapshots.ts'
import { operation } from '../operation.ts'
import { resource } from '../response.ts'
import { backedUpCluster } from './backed-up-cluster.ts'

export default operation('getSnapshot', async (input) => {
  const { world, path, now } = input
  const { groupId, clusterName, snapshotId } = path
  await backedUpCluster(input)
  const which = { groupId, clusterName, kind: 'replicaSet', now } as const
  const document = await snapshots.get(world.database, which, snapshotId)
  if (!document) throw snapshotNotFound(snapshotId)
  return resource(document, 'getSnapshot', path)
})

// Takes a snapshot and waits for it to complete.
// If the response is lost, the call isn't retried, because the snapshot may already have been taken.
import { createClient, isErrorCode, WaitError } from '@svc-admin/client'
import { apiKey, baseUrl, clusterName, groupId } from './environment.ts'

const client = createClient({ baseUrl, credentials: apiKey, version: '2025-03-12' })
const cluster = { groupId, clusterName }
try {
  const body = { description: 'Before the migration', retentionInDays: 7 }
  const { id: snapshotId, type } = await client.takeSnapshot({ ...cluster, body })
  const read = async (signal: AbortSignal) =>
    type === 'shardedCluster'
      ? await client.getShardedClusterSnapshot({ ...cluster, snapshotId }, { signal })
      : await client.getSnapshot({ ...cluster, snapshotId }, { signal })
  const snapshot = await client.waitFor('snapshot', read, {
    until: 'completed',
    timeoutMs: 3_600_000,
    onProgress: ({ state, looks }) => console.log(`read ${looks}: ${state}`),
  })
  console.log(snapshot.description, 'is', snapshot.status)
} catch (error) {
  if (isErrorCode(error, 'SNAPSHOT_IN_PROGRESS')) console.log('Another snapshot is being taken.')
  else if (error instanceof WaitError)
    console.log('The snapshot was not completed. State:', error.progress.state)
  else throw error
}

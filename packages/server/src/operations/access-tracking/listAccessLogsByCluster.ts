import { problem } from '../../domain/problem.ts'
import { accessLogs } from '../../persistence/access-logs.ts'
import { clusters } from '../../persistence/clusters.ts'
import { operation } from '../operation.ts'
import { resource } from '../response.ts'
import { historyOf, readHistoryQuery, requireAccessHistory } from './access-history.ts'

export default operation('listAccessLogsByCluster', async ({ world, path, query }) => {
  const { groupId, clusterName } = path
  const wanted = readHistoryQuery(query)
  const cluster = await clusters.byName(world.database, groupId, clusterName)
  if (!cluster) {
    throw problem('RESOURCE_NOT_FOUND', { detail: `No cluster named ${clusterName} exists in the project.` })
  }
  requireAccessHistory(cluster, 'clusterName')
  const entries = await accessLogs.ofCluster(world.database, groupId, clusterName, wanted)
  return resource(historyOf(entries), 'listAccessLogsByCluster', path)
})

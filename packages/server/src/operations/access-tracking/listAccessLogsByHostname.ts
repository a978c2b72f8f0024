import { problem } from '../../domain/problem.ts'
import { accessLogs } from '../../persistence/access-logs.ts'
import { clusters } from '../../persistence/clusters.ts'
import { operation } from '../operation.ts'
import { resource } from '../response.ts'
import { historyOf, readHistoryQuery, requireAccessHistory } from './access-history.ts'

export default operation('listAccessLogsByHostname', async ({ world, path, query }) => {
  const { groupId, hostname } = path
  const wanted = readHistoryQuery(query)
  const cluster = await clusters.byHost(world.database, groupId, hostname)
  if (!cluster) {
    throw problem('RESOURCE_NOT_FOUND', { detail: `No cluster in the project has the host ${hostname}.` })
  }
  requireAccessHistory(cluster, 'hostname')
  const entries = await accessLogs.ofHost(world.database, groupId, hostname, wanted)
  return resource(historyOf(entries), 'listAccessLogsByHostname', path)
})

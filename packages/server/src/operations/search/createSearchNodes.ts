import { problem } from '../../domain/problem.ts'
import { DuplicateError } from '../../persistence/database.ts'
import { type SearchNodes, searchNodes } from '../../persistence/search-nodes.ts'
import { operation } from '../operation.ts'
import { nodesMachine, nodesResponse } from './nodes-response.ts'
import { requireSearch } from './search-cluster.ts'

export default operation('createSearchNodes', async ({ world, path, body, now }) => {
  const { groupId, clusterName } = path
  await requireSearch(world.database, path)
  const nodes: SearchNodes = {
    id: world.ids.next(now),
    groupId,
    clusterName,
    state: nodesMachine.initial,
    since: now,
    specs: body.specs,
    createdAt: now,
  }
  try {
    await searchNodes.insert(world.database, nodes)
  } catch (error) {
    if (!(error instanceof DuplicateError)) throw error
    throw problem('INVALID_STATE', { detail: 'The cluster already has Search nodes.' })
  }
  return nodesResponse(nodes, now)
})

import { problem } from '../../domain/problem.ts'
import { after, stateAt } from '../../domain/state-machine.ts'
import { searchNodes } from '../../persistence/search-nodes.ts'
import { operation } from '../operation.ts'
import { requireCluster } from '../require-cluster.ts'
import { nodesMachine, nodesResponse } from './nodes-response.ts'
import { requireSearchOf } from './search-cluster.ts'

export default operation('updateSearchNodes', async ({ world, path, body, now }) => {
  const cluster = await requireCluster(world.database, path.groupId, path.clusterName)
  return world.database.transaction(async (transaction) => {
    const before = await searchNodes.find(transaction, path)
    if (!before) {
      throw problem('RESOURCE_NOT_FOUND', { detail: `The cluster ${path.clusterName} has no Search nodes.` })
    }
    requireSearchOf(cluster)
    const seen = stateAt(nodesMachine, before, now).state
    const state = after(nodesMachine, seen, 'operation:updateSearchNodes')
    if (state === undefined) {
      throw problem('INVALID_STATE', { detail: `The Search nodes are ${seen}. Wait until they are IDLE.` })
    }
    const nodes = { ...before, state, since: now, specs: body.specs }
    await searchNodes.put(transaction, nodes)
    return nodesResponse(nodes, now)
  })
})

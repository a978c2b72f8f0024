import { states } from '@svc-admin/types'
import { stateAt } from '../../domain/state-machine.ts'
import { Stored } from '../../domain/stored.ts'
import type { SearchNodes } from '../../persistence/search-nodes.ts'
import { resource } from '../response.ts'

export const nodesMachine = states['search-nodes']

/** Builds a response with the current state of a cluster's search nodes. Disks aren't encrypted in the sandbox. */
export function nodesResponse(nodes: SearchNodes, now: number) {
  const { groupId, clusterName, id, specs } = nodes
  const stateName = stateAt(nodesMachine, nodes, now).state
  const document = { id, groupId, specs, encryptionAtRestProvider: 'NONE', stateName }
  return resource(Stored.of(document), 'updateSearchNodes', { groupId, clusterName })
}

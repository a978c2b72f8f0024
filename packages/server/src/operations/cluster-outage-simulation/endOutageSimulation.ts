import { states } from '@svc-admin/types'
import { problem } from '../../domain/problem.ts'
import { after, stateAt } from '../../domain/state-machine.ts'
import { Stored } from '../../domain/stored.ts'
import { timestamp } from '../../domain/timestamp.ts'
import { type OutageSimulation, outageSimulations } from '../../persistence/outage-simulations.ts'
import { operation } from '../operation.ts'
import { requireCluster } from '../require-cluster.ts'
import { resource } from '../response.ts'

const machine = states['outage-simulation']

export default operation('endOutageSimulation', async ({ world, path, now }) => {
  const { groupId, clusterName } = path
  await requireCluster(world.database, groupId, clusterName)
  return world.database.transaction(async (transaction) => {
    const simulation = await outageSimulations.find(transaction, groupId, clusterName)
    if (!simulation) {
      throw problem('RESOURCE_NOT_FOUND', { detail: `The cluster ${clusterName} has no outage simulation.` })
    }
    const ended = end(simulation, now)
    await outageSimulations.put(transaction, ended)
    return resource(shown(ended, now), 'endOutageSimulation', path)
  })
})

function end(simulation: OutageSimulation, now: number): OutageSimulation {
  const seen = stateAt(machine, simulation, now).state
  const state = after(machine, seen, 'operation:endOutageSimulation')
  if (state !== undefined) return { ...simulation, state, since: now }
  throw problem('INVALID_STATE', {
    detail: `The outage simulation cannot be ended while its state is ${seen}.`,
  })
}

/** Returns a simulation with its current state. If the recovery takes no time, the simulation has already ended. */
function shown(simulation: OutageSimulation, now: number) {
  const { id, groupId, clusterName, filters, startedAt } = simulation
  return Stored.of({
    id,
    groupId,
    clusterName,
    outageFilters: filters,
    startRequestDate: timestamp(startedAt),
    state: stateAt(machine, simulation, now).state,
  })
}

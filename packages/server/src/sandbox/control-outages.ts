import { states } from '@svc-admin/types'
import { clusterNotFound } from '../domain/cluster-not-found.ts'
import { isOver } from '../domain/outage-simulation.ts'
import { problem } from '../domain/problem.ts'
import { stateAt } from '../domain/state-machine.ts'
import { timestamp } from '../domain/timestamp.ts'
import { clusters } from '../persistence/clusters.ts'
import { outageSimulations } from '../persistence/outage-simulations.ts'
import type { ControlAction } from './control-action.ts'
import { fieldsOf, list, text } from './fields.ts'

const machine = states['outage-simulation']

/**
 * Starts an outage simulation. The API has no operation for starting a simulation. The body is `{groupId, clusterName,
 * outageFilters?}`.
 */
const start: ControlAction = async (world, body) => {
  const fields = fieldsOf(body, 'The body')
  const groupId = text(fields, 'groupId')
  const clusterName = text(fields, 'clusterName')
  const filters = list(fields, 'outageFilters').map((item) => ({ ...fieldsOf(item, 'An outage filter') }))
  const now = await world.clock.now()
  if (!(await clusters.byName(world.database, groupId, clusterName))) throw clusterNotFound(clusterName)
  return world.database.transaction(async (transaction) => {
    const before = await outageSimulations.find(transaction, groupId, clusterName)
    if (before && !isOver(before, now)) {
      throw problem('INVALID_STATE', { detail: 'The cluster already has an active outage simulation.' })
    }
    const id = world.ids.next(now)
    const kept = { id, state: machine.initial, since: now }
    await outageSimulations.put(transaction, { ...kept, groupId, clusterName, startedAt: now, filters })
    return { id, state: stateAt(machine, kept, now).state, startRequestDate: timestamp(now) }
  })
}

export const outageActions = { 'POST /outage-simulations': start }

import { settleBackups } from '../backups/protection.ts'
import { isOver } from '../domain/outage-simulation.ts'
import { deleting } from '../domain/search/index-state.ts'
import { present } from '../domain/search/present-index.ts'
import { clusters } from '../persistence/clusters.ts'
import { outageSimulations } from '../persistence/outage-simulations.ts'
import { overview } from '../persistence/overview.ts'
import { searchIndexes as indexes } from '../persistence/search-indexes.ts'
import type { World } from '../world/world.ts'
import type { ControlAction } from './control-action.ts'

/** The number of resources by kind. */
type Counts = Readonly<Record<string, number>>

/** Processes all due backup work in a project. Returns how many search indexes and outage simulations have ended. */
async function settleProject(world: World, groupId: string, now: number): Promise<Counts> {
  const simulations = await outageSimulations.inProject(world.database, groupId)
  let searchIndexes = 0
  for (const cluster of await clusters.ofProject(world.database, groupId)) {
    await settleBackups(world, cluster, now)
    const removed = await indexes.inState(world.database, { groupId, clusterName: cluster.name }, deleting)
    searchIndexes += removed.length - present(removed, now).length
  }
  return { searchIndexes, outageSimulations: simulations.filter((one) => isOver(one, now)).length }
}

/**
 * Subtracts the number of resources that have ended. The API no longer returns these resources, although their rows
 * still exist. For example, the row of a simulation remains until the cluster's next simulation.
 */
function without(counts: Counts, gone: Counts): Counts {
  const left = Object.entries(counts).map(([kind, count]) => [kind, count - (gone[kind] ?? 0)] as const)
  return Object.fromEntries(left.filter(([, count]) => count > 0))
}

const show: ControlAction = async (world, _, { worldId }) => {
  const { database, clock } = world
  const { now, rate } = await clock.read()
  const [organizations, projects] = [
    await overview.organizations(database),
    await overview.projects(database),
  ]
  const gone = new Map<string, Counts>()
  for (const { id } of projects) gone.set(id, await settleProject(world, id, now))
  const counts = await overview.counts(database, now)
  return {
    worldId,
    clock: { now: new Date(now).toISOString(), rate },
    organizations: organizations.map(({ id, name }) => ({
      id,
      name,
      projects: projects
        .filter(({ orgId }) => orgId === id)
        .map(({ id, name }) => ({ id, name, counts: without(counts.get(id) ?? {}, gone.get(id) ?? {}) })),
    })),
  }
}

export const stateActions: Readonly<Record<string, ControlAction>> = { 'GET /state': show }

import { settleBackups } from '../backups/protection.ts'
import { deleting } from '../domain/search/index-state.ts'
import { present } from '../domain/search/present-index.ts'
import { clusters } from '../persistence/clusters.ts'
import { overview } from '../persistence/overview.ts'
import { searchIndexes } from '../persistence/search-indexes.ts'
import type { World } from '../world/world.ts'
import type { ControlAction } from './control.ts'

/** Lets the backups of a project be what time has made of them; answers how many Search indexes are gone by now. */
async function settleProject(world: World, groupId: string, now: number): Promise<number> {
  let gone = 0
  for (const cluster of await clusters.ofProject(world.database, groupId)) {
    await settleBackups(world, cluster, now)
    const removed = await searchIndexes.inState(
      world.database,
      { groupId, clusterName: cluster.name },
      deleting,
    )
    gone += removed.length - present(removed, now).length
  }
  return gone
}

/** Counts as the lists of the API have them: the rows of indexes that are gone stay for a while. */
function without({ searchIndexes = 0, ...counts }: Readonly<Record<string, number>>, gone: number) {
  return searchIndexes > gone ? { ...counts, searchIndexes: searchIndexes - gone } : counts
}

/** Everything that a world holds, in short. */
const show: ControlAction = async (world, _, { worldId }) => {
  const { database, clock } = world
  const { now, rate } = await clock.read()
  const [organizations, projects] = [
    await overview.organizations(database),
    await overview.projects(database),
  ]
  const gone = new Map<string, number>()
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
        .map(({ id, name }) => ({ id, name, counts: without(counts.get(id) ?? {}, gone.get(id) ?? 0) })),
    })),
  }
}

/** What the control interface shows of a world as a whole. */
export const stateActions: Readonly<Record<string, ControlAction>> = { 'GET /state': show }

import type { JsonObject } from '../document/json.ts'
import { Untestable } from '../engine/signals.ts'
import type { World } from '../world/world.ts'
import { fullClusters } from './clusters.ts'

/** Attempts that differ in everything a filter asks for: result, address, time. The tag tells them from others. */
const attempts = [
  { authResult: true, ipAddress: '198.51.100.10', minutesAgo: 50 },
  { authResult: false, ipAddress: '203.0.113.7', minutesAgo: 40 },
  { authResult: true, ipAddress: '203.0.113.7', minutesAgo: 30 },
  { authResult: false, ipAddress: '198.51.100.10', minutesAgo: 20 },
  { authResult: true, ipAddress: '192.0.2.44', minutesAgo: 10 },
] as const

const entryOf = (world: World, groupId: string, hostname: string, now: number, username: string) =>
  attempts.map(
    ({ authResult, ipAddress, minutesAgo }): JsonObject => ({
      authResult,
      authSource: 'admin',
      groupId,
      hostname,
      ipAddress,
      logLine: `Authentication of ${username} from ${ipAddress} (${world.runTag})`,
      timestamp: new Date(now - minutesAgo * 60_000).toISOString().replace(/\.\d+Z$/, 'Z'),
      username,
    }),
  )

/** Who tries to get in, by cluster: so an entry of another cluster is known by its user. */
export const userOf = (world: World, clusterName: string): string => `${world.runTag}-${clusterName}`

/** Gives two clusters an access history, where that can be arranged. Otherwise what is there has to do. */
export const arrangeAccessLogs = (world: World): Promise<void> =>
  world.once('access logs', async () => {
    const { groupId } = world.target.things
    if (groupId === undefined) throw new Untestable('the groupId of something that exists')
    if (!world.prerequisites.canAddAccessLogs) return
    const now = await world.prerequisites.now()
    for (const { name, hostname } of fullClusters(world).slice(0, 2)) {
      const entries = entryOf(world, groupId, hostname ?? `${name}.example`, now, userOf(world, name))
      await world.prerequisites.addAccessLogs({ groupId, clusterName: name, entries })
    }
  })

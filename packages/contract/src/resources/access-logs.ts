import { type Json, type JsonObject, stringAt } from '../document/json.ts'
import { fullClusters, kinds } from '../given/clusters.ts'
import { Untestable } from '../model/signals.ts'
import type { RunContext } from '../run-context/run-context.ts'
import { childPath } from './backups.ts'
import { type OwnCluster, ownCluster } from './own-resources.ts'

interface Attempt {
  readonly authResult: boolean
  readonly ipAddress: string
  readonly minutesAgo: number
  /** The fraction of the timestamp. By default, the timestamp is in whole seconds. */
  readonly milliseconds?: number
}

/**
 * Login attempts that differ in every property that filters use: their result, address and time. One address
 * is a prefix of another. Two attempts are in the same second. Attempts by other clients don't have the run's tag.
 */
const attempts: readonly Attempt[] = [
  { authResult: true, ipAddress: '198.51.100.10', minutesAgo: 50, milliseconds: 250 },
  { authResult: false, ipAddress: '203.0.113.7', minutesAgo: 50, milliseconds: 750 },
  { authResult: false, ipAddress: '203.0.113.7', minutesAgo: 40 },
  { authResult: true, ipAddress: '203.0.113.7', minutesAgo: 30 },
  { authResult: false, ipAddress: '198.51.100.10', minutesAgo: 20 },
  { authResult: false, ipAddress: '192.0.2.44', minutesAgo: 15 },
  { authResult: true, ipAddress: '192.0.2.4', minutesAgo: 10 },
]

interface Attempted {
  readonly groupId: string
  readonly hostname: string
  readonly username: string
}

const timestampOf = (now: number, { minutesAgo, milliseconds = 0 }: Attempt): string => {
  const second = Math.floor((now - minutesAgo * 60_000) / 1000) * 1000
  return new Date(second + milliseconds).toISOString().replace('.000Z', 'Z')
}

const entryOf = (
  { runTag }: RunContext,
  { groupId, hostname, username }: Attempted,
  now: number,
  attempt: Attempt,
): JsonObject => ({
  authResult: attempt.authResult,
  authSource: 'admin',
  groupId,
  hostname,
  ipAddress: attempt.ipAddress,
  logLine: `Authentication of ${username} from ${attempt.ipAddress} (${runTag})`,
  timestamp: timestampOf(now, attempt),
  username,
})

/**
 * Returns the username for login attempts on a cluster. If a list wrongly contains another cluster's entries, the
 * username reveals the mistake.
 */
export const userOf = (context: RunContext, clusterName: string): string => `${context.runTag}-${clusterName}`

const addTo = async (
  context: RunContext,
  clusterName: string,
  attempted: Attempted,
  now: number,
): Promise<void> => {
  const entries = attempts.map((attempt) => entryOf(context, attempted, now, attempt))
  await context.prerequisites.addAccessLogs({ groupId: attempted.groupId, clusterName, entries })
}

/**
 * Adds access history to two clusters. If the kit can't add entries, the checks use existing entries.
 *
 * @returns The timestamps of the new entries.
 */
export const arrangeAccessLogs = (context: RunContext): Promise<readonly string[]> =>
  context.once('access logs', async () => {
    const { groupId } = context.target.things
    if (groupId === undefined) throw new Untestable('the groupId of an existing project')
    if (!context.prerequisites.canAddAccessLogs) return []
    const now = await context.prerequisites.now()
    for (const { name, hostname } of fullClusters(context).slice(0, 2)) {
      const attempted = { groupId, hostname: hostname ?? `${name}.example`, username: userOf(context, name) }
      await addTo(context, name, attempted, now)
    }
    return attempts.map((attempt) => timestampOf(now, attempt))
  })

/**
 * The number of entries in a long history. A long history has more entries than fit on a page, and probably more than
 * any incorrect default limit. Testing the documented default would require a history with one more entry than the
 * default.
 */
const long = 1001

/**
 * Adds a long access history to a cluster that no other check uses.
 *
 * @returns The cluster's path.
 */
export const longHistory = (context: RunContext): Promise<OwnCluster> =>
  context.once('long access history', async () => {
    const cluster = await ownCluster(context, kinds.replicaSet)
    const { groupId, clusterName } = cluster
    const hostname = `${clusterName}-00.db.svc.example`
    const attempted = { groupId, hostname, username: userOf(context, clusterName) }
    const now = await context.prerequisites.now()
    const entries = Array.from({ length: long }, (_, minutesAgo) =>
      entryOf(context, attempted, now, { authResult: true, ipAddress: '198.51.100.10', minutesAgo }),
    )
    await context.prerequisites.addAccessLogs({ groupId, clusterName, entries })
    return childPath(cluster, { hostname })
  })

/** Adds login attempts by a user to the access history of a new cluster. */
export const addAttempts = async (
  context: RunContext,
  { groupId, clusterName }: OwnCluster,
  username: string,
): Promise<void> => {
  const attempted = { groupId, hostname: `${clusterName}-00.db.svc.example`, username }
  await addTo(context, clusterName, attempted, await context.prerequisites.now())
}

/** Returns the time of an access log entry, or `NaN` if its timestamp can't be parsed. */
export const timeOf = (entry: Json): number => Date.parse(stringAt(entry, 'timestamp') ?? '')

/**
 * Returns whether the entry's time is known to the millisecond. The times of other clients' attempts may be more precise
 * than their timestamps.
 *
 * @param added The timestamps of the entries that the kit has added.
 */
export const isExact = ({ runTag }: RunContext, added: readonly string[], entry: Json): boolean => {
  const isOwn = JSON.stringify(entry).includes(runTag) && added.map(Date.parse).includes(timeOf(entry))
  // Some servers write `000` as the milliseconds of a time in whole seconds.
  return isOwn || /[.,](?!000)\d{3}/.test(stringAt(entry, 'timestamp') ?? '')
}

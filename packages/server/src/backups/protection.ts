import type { CompliancePolicyDocument } from '../domain/backups/backup-schemas.ts'
import { snapshotKindOf } from '../domain/backups/cluster-kind.ts'
import {
  activePolicyState,
  activeSince,
  fittedToPolicy,
  policyStateAt,
  protects,
  shortfalls,
} from '../domain/backups/compliance.ts'
import { Stored } from '../domain/stored.ts'
import { unobserved } from '../domain/transition-pace.ts'
import { backupSchedules } from '../persistence/backup-schedules.ts'
import { type Cluster, clusters } from '../persistence/clusters.ts'
import { type CompliancePolicy, compliancePolicies } from '../persistence/compliance-policies.ts'
import type { Session, Transaction } from '../persistence/database.ts'
import { settleLimit } from '../world/clock.ts'
import type { World } from '../world/world.ts'
import { settleExpiry } from './expiry.ts'
import { putSchedule, scheduleOf } from './schedules.ts'
import { settleSchedule } from './settle-schedule.ts'

/** The policy that the backups of a project must keep to as of now, if there is one. */
export async function activePolicy(
  session: Session,
  groupId: string,
  now: number,
): Promise<CompliancePolicyDocument | undefined> {
  const policy = await compliancePolicies.get(session, groupId)
  return policy && protects(policy, now) ? policy.document.value() : undefined
}

/** The policy as of now. */
export function shownPolicy(policy: CompliancePolicy, now: number) {
  const { deletable } = policy
  return Stored.of({ ...policy.document.value(), state: policyStateAt(policy, now), deletable })
}

/** The clusters of a project whose backups follow a schedule, each with what it asked for until now taken. */
export async function settledClusters(world: World, groupId: string, now: number): Promise<Cluster[]> {
  const all = await clusters.ofProject(world.database, groupId)
  const scheduled = all.filter((cluster) => snapshotKindOf(cluster) !== 'serverless')
  for (const cluster of scheduled) await settleSchedule(world, cluster, now)
  return scheduled
}

/** Does what schedule, compliance policy and expiry have led to by now, before anybody looks at the backups of a cluster. */
export async function settleBackups(world: World, cluster: Cluster, now: number): Promise<void> {
  const due = await backupSchedules.due(world.database, cluster.groupId, cluster.name, now)
  const isScheduled = snapshotKindOf(cluster) !== 'serverless'
  if (isScheduled && due.rewriting) await settlePolicy(world, cluster.groupId, now)
  // A schedule that was rewritten may ask for snapshots sooner.
  if (isScheduled && (due.snapshot || due.rewriting)) await settleSchedule(world, cluster, now)
  // What was taken as of the moment of the rewriting may have expired since.
  if (due.expiry || due.rewriting) await settleExpiry(world, cluster.groupId, now)
}

/** The same for every cluster, but for what has expired. */
export async function settleEveryBackup(world: World, now: number): Promise<void> {
  const { database } = world
  for (const groupId of await compliancePolicies.groupsToRewrite(database)) {
    await settlePolicy(world, groupId, now)
  }
  for (const cluster of await backupSchedules.overdue(database, now)) {
    if (snapshotKindOf(cluster) !== 'serverless') await settleSchedule(world, cluster, now)
  }
}

/**
 * Keeps of every policy that has become active that it is: of a clock that goes back it would protect nothing again, as
 * long as it takes to begin.
 */
export async function settleEveryPolicy(world: World, now: number): Promise<void> {
  for (const groupId of await compliancePolicies.groupsNotSettled(world.database)) {
    await settlePolicy(world, groupId, now)
  }
}

/** Lets a policy that has become active rewrite, as of then, the schedules that have fallen short since it was put, if it does. */
export async function settlePolicy(world: World, groupId: string, now: number): Promise<void> {
  const before = await compliancePolicies.get(world.database, groupId)
  if (!before || isSettled(before)) return
  const at = unobserved(() => activeSince(before, now))
  if (at === undefined) return
  const affected = before.overwrites ? await settledClusters(world, groupId, at) : []
  await world.database.transaction(async (transaction) => {
    const policy = await compliancePolicies.find(transaction, groupId)
    // Another process was quicker, or the world was put back to when the policy was not active yet.
    if (!policy || isSettled(policy) || policy.since !== before.since) return
    if ((await settleLimit(world.clock, at, transaction)) < at) return
    await fitSchedules(transaction, world, affected, policy.document.value(), at)
    await compliancePolicies.replace(transaction, { ...policy, state: activePolicyState, since: at })
  })
}

const isSettled = ({ state }: CompliancePolicy) => state === activePolicyState

/** Rewrites the schedules that fall short of a policy. */
export async function fitSchedules(
  transaction: Transaction,
  world: World,
  affected: readonly Cluster[],
  policy: CompliancePolicyDocument,
  now: number,
): Promise<void> {
  for (const cluster of affected) {
    await clusters.lock(transaction, cluster.groupId, cluster.name)
    const schedule = await scheduleOf(transaction, cluster)
    if (shortfalls(policy, schedule).length === 0) continue
    const after = fittedToPolicy(policy, schedule, () => world.ids.next(now))
    await putSchedule(transaction, cluster, after, now)
  }
}

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

/** Returns the compliance policy that currently protects the project's backups, if any. */
export async function activePolicy(
  session: Session,
  groupId: string,
  now: number,
): Promise<CompliancePolicyDocument | undefined> {
  const policy = await compliancePolicies.get(session, groupId)
  return policy && protects(policy, now) ? policy.document.value() : undefined
}

export function shownPolicy(policy: CompliancePolicy, now: number) {
  const { deletable } = policy
  return Stored.of({ ...policy.document.value(), state: policyStateAt(policy, now), deletable })
}

/** Takes the due snapshots of all clusters in the project. Returns the clusters that have a backup schedule. */
export async function settledClusters(world: World, groupId: string, now: number): Promise<Cluster[]> {
  const all = await clusters.ofProject(world.database, groupId)
  const scheduled = all.filter((cluster) => snapshotKindOf(cluster) !== 'serverless')
  for (const cluster of scheduled) await settleSchedule(world, cluster, now)
  return scheduled
}

/**
 * Takes due snapshots, applies policy changes and removes expired snapshots before a request reads a cluster's backups.
 */
export async function settleBackups(world: World, cluster: Cluster, now: number): Promise<void> {
  const due = await backupSchedules.due(world.database, cluster.groupId, cluster.name, now)
  const isScheduled = snapshotKindOf(cluster) !== 'serverless'
  if (isScheduled && due.rewriting) await settlePolicy(world, cluster.groupId, now)
  // The rewritten schedule may require snapshots at earlier times, so take due snapshots again.
  if (isScheduled && (due.snapshot || due.rewriting)) await settleSchedule(world, cluster, now)
  // Some snapshots taken for the rewritten schedule may have expired by now.
  if (due.expiry || due.rewriting) await settleExpiry(world, cluster.groupId, now)
}

/** Updates the backups of all clusters like `settleBackups`, but doesn't remove expired snapshots. */
export async function settleEveryBackup(world: World, now: number): Promise<void> {
  const { database } = world
  for (const groupId of await compliancePolicies.groupsToRewrite(database)) {
    await settlePolicy(world, groupId, now)
  }
  for (const cluster of await backupSchedules.overdue(database, now)) {
    if (snapshotKindOf(cluster) !== 'serverless') await settleSchedule(world, cluster, now)
  }
}

/** Stores which policies have become active, because they must remain active even if the clock is set back. */
export async function settleEveryPolicy(world: World, now: number): Promise<void> {
  for (const groupId of await compliancePolicies.groupsNotSettled(world.database)) {
    await settlePolicy(world, groupId, now)
  }
}

/**
 * If a compliance policy has become active, stores its state. If the policy overwrites schedules, also rewrites the
 * schedules that violate it.
 */
export async function settlePolicy(world: World, groupId: string, now: number): Promise<void> {
  const before = await compliancePolicies.get(world.database, groupId)
  if (!before || isSettled(before)) return
  const at = unobserved(() => activeSince(before, now))
  if (at === undefined) return
  const affected = before.overwrites ? await settledClusters(world, groupId, at) : []
  await world.database.transaction(async (transaction) => {
    const policy = await compliancePolicies.find(transaction, groupId)
    // Another process has already activated the policy, or the world was restored to an earlier time.
    if (!policy || isSettled(policy) || policy.since !== before.since) return
    if ((await settleLimit(world.clock, at, transaction)) < at) return
    await fitSchedules(transaction, world, affected, policy.document.value(), at)
    await compliancePolicies.replace(transaction, { ...policy, state: activePolicyState, since: at })
  })
}

const isSettled = ({ state }: CompliancePolicy) => state === activePolicyState

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

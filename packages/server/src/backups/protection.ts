import type { CompliancePolicyDocument } from '../domain/backups/backup-schemas.ts'
import { snapshotKindOf } from '../domain/backups/cluster-kind.ts'
import { fitted, policyStateAt, protects, shortfalls } from '../domain/backups/compliance.ts'
import { Stored } from '../domain/stored.ts'
import { type Cluster, clusters } from '../persistence/clusters.ts'
import { type CompliancePolicy, compliancePolicies } from '../persistence/compliance-policies.ts'
import type { Session, Transaction } from '../persistence/database.ts'
import type { World } from '../world/world.ts'
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
    const after = fitted(policy, schedule, () => world.ids.next(now))
    await putSchedule(transaction, cluster, after, now)
  }
}

import { putSchedule } from '../backups/schedules.ts'
import type { SnapshotKind } from '../domain/backups/backup-schemas.ts'
import { snapshotKindOf } from '../domain/backups/cluster-kind.ts'
import { restoreStateOf, runningSince } from '../domain/backups/restore-job.ts'
import { sizeOf } from '../domain/backups/snapshot.ts'
import { Stored } from '../domain/stored.ts'
import { latestTime } from '../domain/timestamp.ts'
import type { BackupSchedule } from '../persistence/backup-schedules.ts'
import { type Cluster, clusters } from '../persistence/clusters.ts'
import { type CompliancePolicy, compliancePolicies } from '../persistence/compliance-policies.ts'
import type { Transaction } from '../persistence/database.ts'
import { type ExportBucket, exportBuckets } from '../persistence/export-buckets.ts'
import { type ExportJob, exportJobs } from '../persistence/export-jobs.ts'
import { removal } from '../persistence/removal.ts'
import { type RestoreJob, restoreJobs } from '../persistence/restore-jobs.ts'
import { type Snapshot, snapshots } from '../persistence/snapshots.ts'
import { ControlInputError, type Fields, list, maybeNumber, maybeText, text, time } from './fields.ts'
import type { Seeding } from './seeding.ts'

export async function seedExportBucket({ transaction, now }: Seeding, fields: Fields): Promise<void> {
  const id = text(fields, '_id')
  await removal.identified(transaction, 'export_buckets', id)
  await exportBuckets.put(transaction, {
    id,
    groupId: text(fields, 'groupId'),
    roleId: text(fields, 'iamRoleId'),
    createdAt: now,
    document: documentOf<ExportBucket>(fields, 'groupId'),
  })
}

/**
 * Seeds a schedule. Snapshots that were due before the seed was added aren't taken, so you must seed them as well. The
 * time of the next snapshot is always calculated, even if the seed contains a time.
 */
export async function seedBackupSchedule({ transaction, now }: Seeding, fields: Fields): Promise<void> {
  maybeMoment(fields, 'nextSnapshot')
  list(fields, 'policies')
  const document = documentOf<BackupSchedule>(fields, 'groupId', 'nextSnapshot').value()
  const cluster = { groupId: text(fields, 'groupId'), name: text(fields, 'clusterName') }
  await requireScheduled(transaction, cluster)
  if (document.autoExportEnabled) await requireBucket(transaction, cluster.groupId, document.export)
  await putSchedule(transaction, cluster, document, now)
}

/**
 * Checks that a cluster exists and supports schedules. If an unsupported cluster had a schedule, requests couldn't read
 * or remove the schedule, or delete its export bucket.
 *
 * @throws {ControlInputError} if the cluster doesn't exist or its type doesn't support backup schedules.
 */
async function requireScheduled(
  transaction: Transaction,
  { groupId, name }: Pick<Cluster, 'groupId' | 'name'>,
): Promise<void> {
  const cluster = await clusters.byName(transaction, groupId, name)
  if (cluster && snapshotKindOf(cluster) !== 'serverless') return
  const what = cluster ? `, and '${name}' is ${cluster.type}` : `, not '${name.slice(0, 100)}'`
  throw new ControlInputError(
    `'clusterName' must be the name of a cluster in the project with scheduled backups${what}`,
  )
}

/**
 * Checks that an export bucket exists.
 *
 * @throws {ControlInputError} if the bucket doesn't exist.
 */
async function requireBucket(
  transaction: Transaction,
  groupId: string,
  { exportBucketId: id }: NonNullable<DocumentOf<BackupSchedule>['export']> = {},
): Promise<void> {
  if (id === undefined) {
    throw new ControlInputError("'export.exportBucketId' is required when 'autoExportEnabled' is set")
  }
  if (await exportBuckets.lock(transaction, groupId, id)) return
  throw new ControlInputError(
    `'export.exportBucketId' must be the ID of an export bucket in the project, not '${id}'`,
  )
}

/** Returns a function that seeds snapshots of the given kind. `named` is the field with the cluster's name. */
export const seedSnapshotsOf =
  (kind: SnapshotKind, named: 'clusterName' | 'serverlessInstanceName') =>
  async ({ transaction }: Seeding, fields: Fields): Promise<void> => {
    const createdAt = time(text(fields, 'createdAt'), 'createdAt')
    const id = text(fields, 'id')
    await removal.identified(transaction, 'snapshots', id)
    await snapshots.put(transaction, {
      id,
      groupId: text(fields, 'groupId'),
      clusterName: text(fields, named),
      kind,
      onDemand: text(fields, 'snapshotType') === 'onDemand',
      state: text(fields, 'status'),
      since: createdAt,
      sizeBytes: maybeNumber(fields, 'storageSizeBytes') ?? sizeOf(id),
      createdAt,
      expiresAt: maybeMoment(fields, 'expiresAt') ?? latestTime,
      document: documentOf<Snapshot>(fields, 'groupId', 'clusterName'),
    })
  }

/**
 * Seeds a restore job. An unfinished job ends at `finishesAt`. If `finishesAt` is missing, the job takes the usual
 * time.
 */
export async function seedRestoreJob({ transaction, now }: Seeding, fields: Fields): Promise<void> {
  const createdAt = maybeMoment(fields, 'createdAt') ?? now
  const finishedAt = maybeMoment(fields, 'finishedAt')
  const finishesAt = maybeMoment(fields, 'finishesAt')
  const document = documentOf<RestoreJob>(fields, 'groupId', 'clusterName', 'createdAt', 'finishesAt')
  const job = jobOf(fields)
  await removal.identified(transaction, 'restore_jobs', job.id)
  await restoreJobs.put(transaction, {
    ...job,
    state: restoreStateOf(document.value(), finishedAt !== undefined),
    since: finishedAt ?? (finishesAt === undefined ? createdAt : runningSince(finishesAt)),
    createdAt,
    document,
  })
}

export async function seedExportJob({ transaction }: Seeding, fields: Fields): Promise<void> {
  const createdAt = time(text(fields, 'createdAt'), 'createdAt')
  const job = jobOf(fields)
  await removal.identified(transaction, 'export_jobs', job.id)
  await exportJobs.put(transaction, {
    ...job,
    state: text(fields, 'state'),
    since: createdAt,
    createdAt,
    document: documentOf<ExportJob>(fields, 'groupId', 'clusterName'),
  })
}

export async function seedCompliancePolicy({ transaction, now }: Seeding, fields: Fields): Promise<void> {
  const groupId = text(fields, 'projectId')
  await compliancePolicies.remove(transaction, groupId)
  await compliancePolicies.add(transaction, {
    groupId,
    state: text(fields, 'state'),
    since: now,
    deletable: fields.deletable === true,
    overwrites: false,
    document: documentOf<CompliancePolicy>(fields, 'state', 'deletable'),
  })
}

const jobOf = (fields: Fields) => ({
  id: text(fields, 'id'),
  groupId: text(fields, 'groupId'),
  clusterName: text(fields, 'clusterName'),
  snapshotId: maybeText(fields, 'snapshotId') ?? '',
})

function maybeMoment(fields: Fields, name: string): number | undefined {
  const value = maybeText(fields, name)
  return value === undefined ? undefined : time(value, name)
}

type DocumentOf<R extends { readonly document: Stored<unknown> }> =
  R['document'] extends Stored<infer D> ? D : never

/** Returns the document of a seeded resource without calculated fields, `self` and `links`. Responses add them. */
function documentOf<R extends { readonly document: Stored<unknown> }>(
  fields: Fields,
  ...besides: readonly string[]
): Stored<DocumentOf<R>> {
  const without = new Set(['self', 'links', ...besides])
  return Stored.from(
    JSON.stringify(Object.fromEntries(Object.entries(fields).filter(([name]) => !without.has(name)))),
  )
}

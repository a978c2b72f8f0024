import { settleExpiry } from '../backups/expiry.ts'
import { exportFolder } from '../backups/export-snapshot.ts'
import { failExportsOf } from '../backups/fail-jobs.ts'
import { settleBackups } from '../backups/protection.ts'
import { scheduleOf } from '../backups/schedules.ts'
import { takeDue } from '../backups/settle-schedule.ts'
import { itemsOf, latestExpiry } from '../domain/backups/due-snapshots.ts'
import { stoppedExportJob } from '../domain/backups/export-job.ts'
import {
  compliancePolicyNotFound,
  exportJobNotFound,
  restoreJobNotFound,
  snapshotNotFound,
} from '../domain/backups/not-found.ts'
import { sameFrequency } from '../domain/backups/recurrence.ts'
import { stoppedRestoreJob } from '../domain/backups/restore-job.ts'
import { expiryAfter, type Retention } from '../domain/backups/retention.ts'
import { failedSnapshot, isUnfinished } from '../domain/backups/snapshot.ts'
import { clusterNotFound } from '../domain/cluster-not-found.ts'
import { problem } from '../domain/problem.ts'
import { clusters } from '../persistence/clusters.ts'
import { compliancePolicies } from '../persistence/compliance-policies.ts'
import { exportJobs } from '../persistence/export-jobs.ts'
import { restoreJobs } from '../persistence/restore-jobs.ts'
import { snapshots } from '../persistence/snapshots.ts'
import type { ControlAction } from './control-action.ts'
import { type Fields, fieldsOf, maybeNumber, maybeText, text } from './fields.ts'

/**
 * Sets whether a backup compliance policy can be disabled, which is usually decided by the support team. The body is
 * `{groupId, deletable?}`.
 */
const setDeletable: ControlAction = async (world, body) => {
  const fields = fieldsOf(body, 'The body')
  const groupId = text(fields, 'groupId')
  const deletable = fields.deletable !== false
  return world.database.transaction(async (transaction) => {
    const policy = await compliancePolicies.find(transaction, groupId)
    if (!policy) throw compliancePolicyNotFound()
    await compliancePolicies.replace(transaction, { ...policy, deletable })
    return { deletable }
  })
}

/**
 * Takes a scheduled snapshot. The schedule's policy item with this frequency determines the snapshot's retention. This
 * action also supports serverless instances and flex clusters, which have no schedules. The body is `{groupId,
 * clusterName, frequencyType?, retentionUnit?, retentionValue?}`.
 */
const takeScheduled: ControlAction = async (world, body) => {
  const fields = fieldsOf(body, 'The body')
  const [groupId, clusterName] = placeOf(fields)
  const cluster = await clusters.byName(world.database, groupId, clusterName)
  if (!cluster) throw clusterNotFound(clusterName)
  const now = await world.clock.now()
  const retention = retentionOf(fields)
  const asked = { frequencyType: maybeText(fields, 'frequencyType') ?? 'daily', ...retention }
  await settleBackups(world, cluster, now)
  return world.database.transaction(async (transaction) => {
    await clusters.lock(transaction, groupId, clusterName)
    const schedule = await scheduleOf(transaction, cluster)
    const own = itemsOf(schedule).filter((item) => sameFrequency(item, asked))
    const items = own.length > 0 ? own : [asked]
    const expiresAt = retention ? expiryAfter(now, retention) : latestExpiry(items, schedule, now)
    const folder = await exportFolder(transaction, cluster, schedule)
    const due = { at: now, items, expiresAt }
    const { id } = await takeDue(transaction, world, { cluster, schedule, folder, due }, now)
    return { id }
  })
}

function retentionOf(fields: Fields): Retention | undefined {
  const retentionUnit = maybeText(fields, 'retentionUnit')
  const retentionValue = maybeNumber(fields, 'retentionValue')
  // The control interface's OpenAPI document requires either both fields or neither field.
  if (retentionUnit === undefined || retentionValue === undefined) return undefined
  return { retentionUnit, retentionValue }
}

const placeOf = (fields: Fields) => [text(fields, 'groupId'), text(fields, 'clusterName')] as const

/** Marks an unfinished snapshot and its exports as failed. The body is `{groupId, clusterName, snapshotId}`. */
const failSnapshot: ControlAction = async (world, body) => {
  const fields = fieldsOf(body, 'The body')
  const [groupId, clusterName] = placeOf(fields)
  const id = text(fields, 'snapshotId')
  const now = await world.clock.now()
  return world.database.transaction(async (transaction) => {
    const snapshot = await snapshots.find(transaction, { groupId, clusterName }, id, now)
    if (!snapshot) throw snapshotNotFound(id)
    if (!isUnfinished(snapshot, now)) {
      throw problem('INVALID_STATE', { detail: 'The snapshot is no longer in progress.' })
    }
    await snapshots.put(transaction, failedSnapshot(snapshot, now))
    const reason = { errorCode: 'SNAPSHOT_FAILED', message: 'The snapshot could not be completed.' }
    await failExportsOf(transaction, snapshot, reason, now)
    return {}
  })
}

/** Marks an unfinished restore as failed. The body is `{groupId, clusterName, restoreJobId}`. */
const failRestore: ControlAction = async (world, body) => {
  const fields = fieldsOf(body, 'The body')
  const [groupId, clusterName] = placeOf(fields)
  const id = text(fields, 'restoreJobId')
  const now = await world.clock.now()
  await settleExpiry(world, groupId, now)
  return world.database.transaction(async (transaction) => {
    const job = await restoreJobs.find(transaction, { groupId, clusterName }, id)
    if (!job) throw restoreJobNotFound(id)
    await restoreJobs.put(transaction, stoppedRestoreJob(job, 'event', now))
    return {}
  })
}

/** Ends an unfinished export. The body is `{groupId, clusterName, exportId, errorCode?, message?}`. */
const endExport =
  (to: 'Failed' | 'Cancelled', errorCode: string, message: string): ControlAction =>
  async (world, body) => {
    const fields = fieldsOf(body, 'The body')
    const [groupId, clusterName] = placeOf(fields)
    const id = text(fields, 'exportId')
    const reason = {
      errorCode: maybeText(fields, 'errorCode') ?? errorCode,
      message: maybeText(fields, 'message') ?? message,
    }
    const now = await world.clock.now()
    await settleExpiry(world, groupId, now)
    return world.database.transaction(async (transaction) => {
      const job = await exportJobs.find(transaction, { groupId, clusterName }, id)
      if (!job) throw exportJobNotFound(id)
      await exportJobs.put(transaction, stoppedExportJob(job, to, reason, now))
      return {}
    })
  }

export const backupActions: Readonly<Record<string, ControlAction>> = {
  'POST /backups/deletable': setDeletable,
  'POST /backups/snapshots': takeScheduled,
  'POST /backups/snapshots/fail': failSnapshot,
  'POST /backups/restore-jobs/fail': failRestore,
  'POST /backups/exports/fail': endExport(
    'Failed',
    'EXPORT_FAILED',
    'The export could not write to the bucket.',
  ),
  'POST /backups/exports/cancel': endExport(
    'Cancelled',
    'EXPORT_CANCELLED',
    'The service canceled the export.',
  ),
}

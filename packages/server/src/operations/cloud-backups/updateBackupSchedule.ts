import { deleteCopies } from '../../backups/delete-copies.ts'
import { activePolicy } from '../../backups/protection.ts'
import { retainAgain } from '../../backups/retain-again.ts'
import { putSchedule, scheduleOf, shownSchedule } from '../../backups/schedules.ts'
import type { ScheduleDocument } from '../../domain/backups/backup-schemas.ts'
import { requireNoNewShortfall } from '../../domain/backups/compliance.ts'
import { itemsOf } from '../../domain/backups/due-snapshots.ts'
import { exportBucketNotFound } from '../../domain/backups/not-found.ts'
import { requireGrowingRetention, requireWindowWithinHourly } from '../../domain/backups/policy-rules.ts'
import { problem } from '../../domain/problem.ts'
import { clusters } from '../../persistence/clusters.ts'
import type { Transaction } from '../../persistence/database.ts'
import { exportBuckets } from '../../persistence/export-buckets.ts'
import { type OperationInput, operation } from '../operation.ts'
import { resource } from '../response.ts'
import { backedUpCluster } from './backed-up-cluster.ts'

type Input = OperationInput<'updateBackupSchedule'>

/** Updates the fields in the body. All other fields remain unchanged. */
export default operation('updateBackupSchedule', async (input) => {
  const { world, path, body, now } = input
  requireConsistent(body)
  const cluster = await backedUpCluster(input)
  const changed = await world.database.transaction(async (transaction) => {
    await clusters.lock(transaction, cluster.groupId, cluster.name)
    const before = await scheduleOf(transaction, cluster)
    const after = merged(before, input)
    check(body, after)
    await requireBucket(transaction, input, after)
    await requireCompliance(transaction, input, before, after)
    await putSchedule(transaction, cluster, after, now)
    // Use the previous settings to find the copies, because the body may replace these settings.
    await deleteCopies(transaction, cluster, before, body.deleteCopiedBackups ?? [], now)
    if (body.updateSnapshots === true) await retainAgain(transaction, cluster, after, now)
    return after
  })
  return resource(shownSchedule(changed, now), 'getBackupSchedule', path)
})

/**
 * Merges the body into the previous schedule. Omitted fields within `export` also remain unchanged. Lists are replaced
 * completely.
 */
function merged(before: ScheduleDocument, { body, world, now }: Input): ScheduleDocument {
  const { deleteCopiedBackups: _deleted, updateSnapshots: _update, policies, export: target, ...rest } = body
  const after = { ...before, ...rest, ...(target ? { export: { ...before.export, ...target } } : {}) }
  if (!policies) return after
  const nextId = () => world.ids.next(now)
  const named = policies.map(({ policyItems = [], ...policy }) => ({
    id: before.policies[0]?.id ?? nextId(),
    ...policy,
    policyItems: policyItems.map((item) => ({ ...item, id: item.id ?? nextId() })),
  }))
  return { ...after, policies: named }
}

const itemsPointer = '/policies/0/policyItems'

/** Rejects a body with contradictory settings, even if the schedule doesn't exist. */
function requireConsistent({ policies, restoreWindowDays }: Input['body']): void {
  if (!policies) return
  const items = itemsOf({ policies })
  requireGrowingRetention(items, itemsPointer)
  requireWindowWithinHourly(restoreWindowDays, items)
}

/**
 * Checks the merged backup schedule. Errors always point to a field in the body, even if the cause is a conflict with a
 * stored field.
 */
function check(
  { policies, restoreWindowDays, autoExportEnabled, export: target }: Input['body'],
  schedule: ScheduleDocument,
): void {
  const items = itemsOf(schedule)
  if (restoreWindowDays !== undefined) requireWindowWithinHourly(restoreWindowDays, items)
  else if (policies) requireWindowWithinHourly(schedule.restoreWindowDays, items, itemsPointer)
  if (autoExportEnabled === undefined && !target) return
  if (schedule.autoExportEnabled) requireBucketNamed(schedule.export)
}

function requireBucketNamed(target: ScheduleDocument['export']): void {
  if (target?.exportBucketId !== undefined) return
  throw problem('VALIDATION_ERROR', {
    detail: 'Automatic export requires the field /export/exportBucketId.',
    parameters: ['/export/exportBucketId'],
  })
}

/** Checks that the bucket exists if the body specifies a bucket or enables exports to the stored bucket. */
async function requireBucket(transaction: Transaction, { path, body }: Input, after: ScheduleDocument) {
  const sent = body.export?.exportBucketId
  const id = sent ?? (body.autoExportEnabled ? after.export?.exportBucketId : undefined)
  if (id === undefined || (await exportBuckets.lock(transaction, path.groupId, id))) return
  throw exportBucketNotFound(id, sent === undefined ? '/autoExportEnabled' : '/export/exportBucketId')
}

async function requireCompliance(
  transaction: Transaction,
  { path, body, now }: Input,
  before: ScheduleDocument,
  after: ScheduleDocument,
): Promise<void> {
  const policy = await activePolicy(transaction, path.groupId, now)
  if (!policy) return
  requireNoNewShortfall(policy, before, after)
  if (policy.copyProtectionEnabled && (body.deleteCopiedBackups ?? []).length > 0) {
    throw problem('COMPLIANCE_POLICY_ACTIVE', {
      detail: "The backup compliance policy doesn't allow snapshot copies to be deleted.",
      parameters: ['/deleteCopiedBackups'],
    })
  }
}

import { expect, test } from 'vitest'
import { dated, outcomeIn, seeding } from '../test/context-over.ts'
import compliancePolicy from './cases/cloud-backups/compliance-policy.ts'
import copiedBackups from './cases/cloud-backups/copied-backups.ts'
import deleteBackupSchedules from './cases/cloud-backups/deleteBackupSchedules.ts'
import overwriting from './cases/cloud-backups/overwriting.ts'
import restoreJobs from './cases/cloud-backups/restore-jobs.ts'
import scheduleRetention from './cases/cloud-backups/schedule-retention.ts'
import takeSnapshot from './cases/cloud-backups/takeSnapshot.ts'
import updateBackupSchedule from './cases/cloud-backups/updateBackupSchedule.ts'
import updateCompliancePolicy from './cases/cloud-backups/updateCompliancePolicy.ts'
import updateSnapshotRetention from './cases/cloud-backups/updateSnapshotRetention.ts'
import authorizeRole from './cases/cloud-provider-access/authorizeCloudProviderAccessRole.ts'
import { isObject, type JsonObject, listAt, numberAt, parseJson, stringAt } from './document/json.ts'
import { type ClusterKind, labelFor } from './given/clusters.ts'
import type { RawRequest } from './http/exchange.ts'
import lists from './rules/changes/lists.ts'
import optionalFields from './rules/changes/optional-fields.ts'

/** Servers with a fault in backups. Checks must report a violation. */

test.each([
  ['deletes the copies of other settings', true],
  ['deletes only the copies of the given settings', false],
])('a server that %s', async (_, isFaulty) => {
  let isDeleted = false
  const { context, rows } = seeding(({ method, body, path }) => {
    if (method !== 'GET') {
      isDeleted ||= isObject(parseJson(body ?? '')) && (body ?? '').includes('deleteCopiedBackups')
      return [200, parseJson(body ?? '')]
    }
    const snapshot = rows.get('snapshots')?.find(({ id }) => path.includes(String(id))) ?? {}
    return [200, { ...snapshot, ...(isDeleted && isFaulty && { copyRegions: [] }) }]
  })
  const rule = copiedBackups['updateBackupSchedule.other-copies-kept']
  const outcome = await outcomeIn(context, dated('updateBackupSchedule'), rule, 'one setting')
  expect(outcome).toBe(isFaulty ? 'Violation' : 'passed')
})

test.each([
  ['deletes the copies of all given settings', () => [], 'passed'],
  ['deletes only the copies of the first setting', ([, ...others]: string[]) => others, 'Violation'],
  ["doesn't delete any copies within a day", (regions: string[]) => regions, 'Untestable'],
])('a server that %s', async (_, left, expected) => {
  let deleted: string[] | undefined
  const { context, rows } = seeding(({ body, path }) => {
    const settings = listAt(parseJson(body ?? ''), 'deleteCopiedBackups')
    if (settings.length > 0) deleted = settings.map((one) => stringAt(one, 'regionName') ?? '')
    const snapshot = rows.get('snapshots')?.find(({ id }) => path.includes(String(id))) ?? {}
    return [200, { ...snapshot, ...(deleted && { copyRegions: left(deleted) }) }]
  })
  const rule = copiedBackups['updateBackupSchedule.delete-copied-backups']
  for (const label of ['two settings', 'two settings in reverse order']) {
    deleted = undefined
    expect(await outcomeIn(context, dated('updateBackupSchedule'), rule, label)).toBe(expected)
  }
})

test.each([
  ['keeps the policies of schedules with automatic export', true, 'automatic export'],
  ['keeps the policies of schedules with copies', true, 'copy settings'],
  ['removes all schedules', false, 'automatic export'],
])('a server that %s', async (_, isFaulty, label) => {
  let schedule: JsonObject = { clusterId: 'a' }
  const { context, rows } = seeding(({ method, body }) => {
    const sent = parseJson(body ?? '')
    const isKept = isFaulty && (schedule.autoExportEnabled === true || schedule.copySettings !== undefined)
    if (method === 'DELETE') schedule = isKept ? schedule : { ...schedule, policies: [] }
    else if (isObject(sent)) schedule = { ...schedule, ...sent }
    return [200, { ...schedule, clusterName: rows.get('clusters')?.at(-1)?.name ?? '' }]
  })
  const rule = deleteBackupSchedules['deleteBackupSchedules.returns-schedule']
  const outcome = await outcomeIn(context, dated('deleteBackupSchedules'), rule, label)
  expect(outcome).toBe(isFaulty ? 'Violation' : 'passed')
})

/** Returns the outcomes of a requirement's checks for a replica set and for a sharded cluster. */
const outcomesByCluster = async (
  operation: string,
  rule: Parameters<typeof outcomeIn>[2],
  label: string,
  respond: (request: RawRequest, isSharded: boolean) => JsonObject,
) => {
  const { context, rows } = seeding((request) => {
    const isSharded = rows.get('clusters')?.at(-1)?.type === 'SHARDED'
    return [200, respond(request, isSharded)]
  })
  const outcome = (kind: ClusterKind) => outcomeIn(context, dated(operation), rule, labelFor(kind, label))
  return [await outcome('replicaSet'), await outcome('shardedCluster')]
}

test('a server that loses the descriptions of sharded cluster snapshots', async () => {
  let sent: JsonObject = {}
  const rule = takeSnapshot['takeSnapshot.answers-with-replica-set-snapshot']
  const outcomes = await outcomesByCluster('takeSnapshot', rule, '', ({ body }, isSharded) => {
    const parsed = parseJson(body ?? '')
    if (isObject(parsed)) sent = parsed
    const description = isSharded ? {} : sent
    return { id: 'a', status: 'queued', snapshotType: 'onDemand', ...description }
  })
  expect(outcomes).toEqual(['passed', 'Violation'])
})

test('a server that continues canceled restore jobs of sharded clusters', async () => {
  let isCanceled = false
  const rule = restoreJobs['cancelRestoreJob.cancels']
  const outcomes = await outcomesByCluster('cancelRestoreJob', rule, '', ({ method }, isSharded) => {
    if (method === 'POST') isCanceled = false
    if (method === 'DELETE') isCanceled = !isSharded
    return { id: 'a', cancelled: isCanceled }
  })
  expect(outcomes).toEqual(['passed', 'stated'])
})

test('a server whose lists lack the components of sharded clusters', async () => {
  const rule = lists['resources.items-read-alike']
  const job = { id: 'a', components: [{ exportId: 'b', replicaSetName: 'c' }] }
  const outcomes = await outcomesByCluster('listExportJobs', rule, 'new cluster', ({ path }, isSharded) => {
    const item = isSharded ? { id: 'a' } : job
    return /exports(\?|$)/.test(path) ? { id: 'a', links: [], results: [item], totalCount: 1 } : job
  })
  expect(outcomes).toEqual(['passed', 'Violation'])
})

/** The number of days in each unit. */
const daysIn: Readonly<Record<string, number>> = { days: 1, weeks: 7, months: 30, years: 365 }

test.each([
  ['ignores the unit of a retention', () => true, () => 1, 'stated'],
  ['supports only days', (unit: string) => unit === 'days', () => 1, 'decided'],
  ['compares the window with the retention', () => true, (unit: string) => daysIn[unit] ?? 1, 'passed'],
])('a server that %s', async (_, supports, factor, expected) => {
  const { context } = seeding(({ body }) => {
    const sent = parseJson(body ?? '')
    const [item] = listAt(sent, 'scheduledPolicyItems')
    const unit = stringAt(item, 'retentionUnit') ?? ''
    const most = (numberAt(item, 'retentionValue') ?? 0) * factor(unit)
    const isRight = supports(unit) && (numberAt(sent, 'restoreWindowDays') ?? 0) <= most
    return isRight ? [200, sent] : [400, { errorCode: 'VALIDATION_ERROR' }]
  })
  const rule = updateCompliancePolicy['updateCompliancePolicy.window-within-hourly-retention']
  const outcome = (label: string) => outcomeIn(context, dated('updateCompliancePolicy'), rule, label)
  expect(await outcome('days')).toBe('passed')
  for (const label of ['weeks', 'months']) expect(await outcome(label)).toBe(expected)
})

/** A server for compliance policies, which determines the policy from the previous policy and the request. */
const withPolicy = (next: (before: JsonObject, sent: JsonObject) => JsonObject) => {
  let current: JsonObject = {}
  const { context, rows } = seeding(({ method, body }) => {
    const sent = parseJson(body ?? '')
    const [seeded] = rows.get('compliancePolicies')?.splice(0) ?? []
    if (isObject(seeded)) current = seeded
    const updated = { updatedDate: '2026-11-26T00:00:00Z', updatedUser: 'a', state: 'ACTIVE', ...off }
    if (method === 'PUT' && isObject(sent)) {
      current = { ...updated, projectId: rows.get('projects')?.at(-1)?.id ?? '', ...next(current, sent) }
    }
    return [200, current]
  })
  return (rule: Parameters<typeof outcomeIn>[2], label?: string) =>
    outcomeIn(context, dated('updateCompliancePolicy'), rule, label)
}

const off = { copyProtectionEnabled: false, encryptionAtRestEnabled: false, pitEnabled: false }

test.each([
  ['sets one flag if the request sets another', (sent: JsonObject) => sent.pitEnabled === true, 'stated'],
  ['sets only the flags from the request', () => false, 'passed'],
])('a server that %s', async (_, isSet, expected) => {
  const policy = () => withPolicy((_before, sent) => ({ copyProtectionEnabled: isSet(sent), ...sent }))
  expect(await policy()(optionalFields['bodies.optional-fields-apart'])).toBe(expected)
  const rule = updateCompliancePolicy['updateCompliancePolicy.flags-default-false']
  expect(await policy()(rule, 'authorizedEmail and pitEnabled')).toBe(expected)
})

test('a server that sets a flag, which earlier policies contain, if the request contains another field', async () => {
  const policy = withPolicy((_before, sent) => ({ pitEnabled: 'restoreWindowDays' in sent, ...sent }))
  expect(await policy(optionalFields['bodies.optional-fields-apart'])).toBe('stated')
})

test('a server that keeps an earlier name although the request contains another', async () => {
  const rule = updateCompliancePolicy['updateCompliancePolicy.answers-with-compliance-policy']
  const label = 'instead of another policy'
  const keeping = withPolicy(({ authorizedUserLastName = null }, sent) => ({
    ...sent,
    authorizedUserLastName,
  }))
  expect(await keeping(rule, label)).toBe('Violation')
  expect(await withPolicy((_before, sent) => sent)(rule, label)).toBe('passed')
})

test('a server that keeps the fields that an update omits conforms to the specification source', async () => {
  const keeping = withPolicy((before, sent) => ({ ...before, ...sent }))
  expect(await keeping(optionalFields['bodies.optional-fields-apart'])).toBe('decided')
})

test.each([
  ['compares only retentions in days', (unit: string) => unit === 'DAYS', 'stated'],
  ['compares all retentions', () => true, 'passed'],
])('a server that %s', async (_, compares, expected) => {
  const { context } = seeding(({ method, body }) => {
    const { retentionUnit, retentionValue } = Object(parseJson(body ?? ''))
    const isShort = retentionValue < 10 && compares(retentionUnit)
    return method === 'PATCH' && isShort ? [400, { errorCode: 'VALIDATION_ERROR' }] : [200]
  })
  const rule = updateSnapshotRetention['updateSnapshotRetention.not-below-more-frequent']
  const label = 'weekly replicaSet snapshot and daily item'
  expect(await outcomeIn(context, dated('updateSnapshotRetention'), rule, label)).toBe(expected)
})

test.each([
  ['raises schedules only for the first policy', (hadPolicy: boolean) => !hadPolicy, 'Violation'],
  ['raises schedules for every policy', () => true, 'passed'],
])('a server that %s', async (_, raises, expected) => {
  const outcomeOn = (label: string): Promise<string> => {
    let [isChanged, unchanged = ''] = [false, undefined as string | undefined]
    const { context, rows } = seeding(({ method, path }) => {
      if (method === 'PUT') isChanged = true
      const cluster = /clusters\/([^/]+)/.exec(path)?.[1]
      if (cluster === undefined || method !== 'GET') return [200]
      unchanged ||= cluster
      const isRaised = cluster !== unchanged && isChanged && raises(rows.has('compliancePolicies'))
      const items = ['hourly', 'daily', 'weekly'].map((frequencyType) => ({
        frequencyType,
        retentionUnit: 'days',
        retentionValue: isRaised ? 28 : 1,
      }))
      return [200, { policies: [{ policyItems: items }] }]
    })
    const rule = overwriting['updateCompliancePolicy.overwrite-default-true']
    return outcomeIn(context, dated('updateCompliancePolicy'), rule, label)
  }
  expect(await outcomeOn('')).toBe('passed')
  expect(await outcomeOn('instead of another policy')).toBe(expected)
})

test.each([
  ['ignores a retention unit in lower case', () => 1, 'Violation'],
  ['treats lower case as the listed unit', (unit: string) => daysIn[unit] ?? 1, 'passed'],
  ['rejects a retention unit in lower case', () => undefined, 'passed'],
])('a server that %s', async (_, factorOf, expected) => {
  const { context } = seeding(({ body }) => {
    const { retentionUnit = '', retentionValue = 0 } = Object(parseJson(body ?? ''))
    const isListed = retentionUnit === retentionUnit.toUpperCase()
    const factor = isListed ? daysIn[retentionUnit.toLowerCase()] : factorOf(retentionUnit)
    if (factor === undefined) return [400]
    const days = retentionValue * factor
    return [200, { expiresAt: new Date(Date.UTC(2026, 0, 1 + days)).toISOString() }]
  })
  const rule = updateSnapshotRetention['updateSnapshotRetention.four-units']
  expect(await outcomeIn(context, dated('updateSnapshotRetention'), rule, 'weeks')).toBe(expected)
})

test.each([
  ['overwrites schedules when the policy becomes active', 7, 'Violation'],
  ["doesn't overwrite schedules", 3, 'passed'],
])('without overwriteBackupPolicies, a server %s', async (_, daysWhenActive, expected) => {
  let isActive = false
  const { context } = seeding(
    () => {
      const retentionValue = isActive ? daysWhenActive : 3
      const items = [{ frequencyType: 'daily', frequencyInterval: 1, retentionUnit: 'days', retentionValue }]
      return [200, { policies: [{ policyItems: items }] }]
    },
    {
      advance: () => {
        isActive = true
      },
    },
  )
  const rule = overwriting['updateCompliancePolicy.overwrite-false-leaves']
  expect(await outcomeIn(context, dated('updateCompliancePolicy'), rule)).toBe(expected)
})

test.each([
  ['disables policies without scheduled items', 'scheduledPolicyItems', 'without scheduled items'],
  ['disables policies with point-in-time backups', 'pitEnabled', 'with all fields'],
])('a server that %s', async (_, field, label) => {
  const disables = (policy: JsonObject): boolean =>
    field === 'pitEnabled' ? policy.pitEnabled === true : listAt(policy, field).length === 0
  const { context, rows } = seeding(({ method }) => {
    if (method !== 'DELETE') return [200, { state: 'ACTIVE' }]
    return disables(rows.get('compliancePolicies')?.at(-1) ?? {}) ? [204] : [409]
  })
  const rule = compliancePolicy['disableCompliancePolicy.needs-support']
  const cell = dated('disableCompliancePolicy')
  expect(await outcomeIn(context, cell, rule, label)).toBe('Violation')
  expect(await outcomeIn(context, cell, rule)).toBe('passed')
})

test.each([
  ['stops at a snapshot that the schedule does not retain', true, 'stated'],
  ['updates all snapshots that the schedule retains', false, 'passed'],
])('a server that %s', async (_, stops, expected) => {
  let isUpdated = false
  const { context, rows } = seeding(({ body, path }) => {
    isUpdated ||= (body ?? '').includes('updateSnapshots')
    const snapshots = rows.get('snapshots') ?? []
    const index = snapshots.findIndex(({ id }) => path.includes(String(id)))
    const snapshot = snapshots[index]
    const isReached =
      !stops || snapshots.slice(0, index).every(({ frequencyType }) => frequencyType === 'daily')
    if (snapshot === undefined || !isUpdated || !isReached) return [200, snapshot]
    const expiresAt = Date.parse(stringAt(snapshot, 'createdAt') ?? '') + 9 * 24 * 3_600_000
    return [200, { ...snapshot, expiresAt: new Date(expiresAt).toISOString() }]
  })
  const rule = scheduleRetention['updateBackupSchedule.update-snapshots']
  expect(await outcomeIn(context, dated('updateBackupSchedule'), rule)).toBe(expected)
})

test.each([
  ['requires the authorization of GCP roles', (isAuthorized: boolean) => isAuthorized, 'stated'],
  ['has no buckets for GCP roles', () => false, 'Untestable'],
  ['lets buckets use new GCP roles', () => true, 'passed'],
])('a server that %s', async (_, isUsable, expected) => {
  let isAuthorized = false
  const { context } = seeding(({ method, path }) => {
    isAuthorized ||= method === 'PATCH'
    return path.endsWith('/exportBuckets') && !isUsable(isAuthorized)
      ? [409]
      : [200, { roleId: 'a'.repeat(24) }]
  })
  const rule = authorizeRole['authorizeCloudProviderAccessRole.gcp-not-required']
  expect(await outcomeIn(context, dated('authorizeCloudProviderAccessRole'), rule)).toBe(expected)
})

const hours = 3_600_000

test.each([
  ['an hour before the reference hour', -hours, 'stated'],
  ['seven minutes after the reference time', 7 * 60_000, 'decided'],
  ['at the reference time', 0, 'passed'],
])('a server that starts snapshots %s', async (_, delay, expected) => {
  let fields: JsonObject = { referenceHourOfDay: 0, referenceMinuteOfHour: 55 }
  const { context } = seeding(({ body }) => {
    const sent = parseJson(body ?? '')
    if (isObject(sent)) fields = { ...fields, ...sent }
    const [hour = 0, minute = 0] = ['referenceHourOfDay', 'referenceMinuteOfHour'].map((name) =>
      numberAt(fields, name),
    )
    const next = Date.UTC(2026, 10, 27, hour, minute) + delay
    return [200, { ...fields, nextSnapshot: new Date(next).toISOString() }]
  })
  const rule = updateBackupSchedule['updateBackupSchedule.reference-hour-in-utc']
  expect(await outcomeIn(context, dated('updateBackupSchedule'), rule)).toBe(expected)
})

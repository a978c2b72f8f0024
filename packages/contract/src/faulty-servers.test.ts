import { expect, test } from 'vitest'
import { contextOver, dated, groupId, outcomeIn, type Response, seeding } from '../test/context-over.ts'
import toggleAlertConfig from './cases/alert-configurations/toggleAlertConfig.ts'
import acknowledgeAlert from './cases/alerts/acknowledgeAlert.ts'
import listAlerts from './cases/alerts/listAlerts.ts'
import copiedBackups from './cases/cloud-backups/copied-backups.ts'
import deleteBackupSchedules from './cases/cloud-backups/deleteBackupSchedules.ts'
import restoreJobs from './cases/cloud-backups/restore-jobs.ts'
import takeSnapshot from './cases/cloud-backups/takeSnapshot.ts'
import updateCompliancePolicy from './cases/cloud-backups/updateCompliancePolicy.ts'
import deleteSearchIndex from './cases/search/deleteSearchIndex.ts'
import limited from './cases/token-issuance/limited.ts'
import { isObject, type JsonObject, listAt, numberAt, parseJson, stringAt } from './document/json.ts'
import { type ClusterKind, labelFor } from './given/clusters.ts'
import type { RawRequest } from './http/exchange.ts'
import { ownProject } from './resources/own-resources.ts'
import lists from './rules/changes/lists.ts'
import optionalFields from './rules/changes/optional-fields.ts'
import paging from './rules/paging/paging.ts'
import bodies from './rules/parameters/bodies.ts'
import listedFields from './rules/resources/listed-fields.ts'
import { roleIds } from './target/role-ids.ts'

/** Servers with a fault that only a few checks can notice. Each of these checks must report a stated violation. */

test.each([
  ['lists a deleted index', (path: string) => path.endsWith('/indexes/orders/customers'), 'Violation'],
  [
    'returns a deleted index by name',
    (path: string) => /\/indexes\/\w+\/\w+\/index-/.test(path),
    'Violation',
  ],
  ['removes an index', () => false, 'passed'],
])('a server that %s', async (_, isFaulty, expected) => {
  let deletions = 0
  const { context, rows } = seeding(({ method, path }) => {
    const [index = {}] = rows.get('searchIndexes') ?? []
    if (method === 'DELETE') deletions += 1
    if (method === 'DELETE') return deletions > 1 ? [404, { errorCode: 'RESOURCE_NOT_FOUND' }] : [204]
    const { database, collectionName } = index
    const place = path.replace(`/${database}/${collectionName}`, '/orders/customers')
    if (isFaulty(place)) return [200, place.includes('/index-') ? index : [index]]
    return /indexes$|customers$/.test(place) ? [200, []] : [404, { errorCode: 'RESOURCE_NOT_FOUND' }]
  })
  const cell = dated('deleteSearchIndex')
  const rule = deleteSearchIndex['searchIndex.removal-eventually-consistent']
  const outcome = await outcomeIn(context, cell, rule)
  expect(outcome).toBe(expected)
})

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

test.each([
  ["doesn't count failed token requests", () => 200, 'stated'],
  ['counts failed token requests', (count: number) => (count > 10 ? 429 : 200), 'passed'],
])('a server that %s', async (_, statusAfter, expected) => {
  let count = 0
  const { context } = seeding((_request, as) => {
    count += 1
    const isWrong = as.kind === 'basic' && as.account.clientSecret.startsWith('wrong-')
    const status = statusAfter(count)
    if (isWrong && status === 200) return [401, { error: 'invalid_client' }]
    return [status, status === 429 ? { error: 'rate_limited' } : { access_token: 'a', expires_in: 3600 }]
  })
  const rule = limited['issueToken.limited']
  const outcome = await outcomeIn(context, dated('issueToken'), rule, 'after failures: wrong secret')
  expect(outcome).toBe(expected)
})

test.each([
  ['omits acknowledged alerts from filtered lists', false, 'Violation'],
  ['lists acknowledged alerts', true, 'passed'],
])('a server that %s', async (_, isListed, expected) => {
  const alert = { id: 'a'.repeat(24), alertConfigId: 'b'.repeat(24), status: 'OPEN' }
  const { context } = seeding(
    ({ method, path }) => {
      if (method === 'DELETE') return [204]
      if (path.includes('/alertConfigs')) return [200, { id: alert.alertConfigId }]
      if (path.includes(alert.id)) return [200, alert]
      const shows = !path.includes('status=') || (isListed && path.includes(`status=${alert.status}`))
      return [200, { links: [], results: shows ? [alert] : [], totalCount: shows ? 1 : 0 }]
    },
    { event: () => [alert.id] },
  )
  const rule = listAlerts['listAlerts.status-filters']
  expect(await outcomeIn(context, dated('listAlerts'), rule, 'acknowledged alert')).toBe(expected)
})

const hour = 3600

/**
 * Tests a server that sends a notification whenever the clock advances, except until the time that `silentUntil` returns
 * for the times of all acknowledgements.
 */
const notifying = (silentUntil: (times: readonly number[]) => number, username?: string) => {
  const start = Date.parse('2026-11-26T00:00:00Z')
  const alert = { id: 'a'.repeat(24), alertConfigId: 'b'.repeat(24), status: 'OPEN' }
  const notices: JsonObject[] = []
  const times: number[] = []
  let elapsed = 0
  let shown: JsonObject = {}
  const { context } = seeding(
    ({ method, path, body }) => {
      if (path.includes('/alertConfigs'))
        return method === 'DELETE' ? [204] : [200, { id: alert.alertConfigId }]
      const sent = parseJson(body ?? '')
      if (method === 'PATCH' && isObject(sent)) {
        times.push((Date.parse(stringAt(sent, 'acknowledgedUntil') ?? '') - start) / 1000)
        shown = username === undefined ? sent : { ...sent, acknowledgingUsername: username }
      }
      return [200, { ...alert, ...shown }]
    },
    {
      event: () => [alert.id],
      advance: (seconds) => {
        elapsed += seconds
        if (elapsed > silentUntil(times)) notices.push({ alertId: alert.id })
      },
      outbox: () => [...notices],
    },
  )
  return (requirement: 'acknowledges' | 'stops-notifications', label: string) =>
    outcomeIn(context, dated('acknowledgeAlert'), acknowledgeAlert[`acknowledgeAlert.${requirement}`], label)
}

const lastOf = (times: readonly number[]): number => times.at(-1) ?? 0

test.each([
  [
    'only until the first time',
    ([first = 0]: readonly number[]) => first,
    'again with a later time',
    'Violation',
  ],
  [
    'until the latest time',
    (times: readonly number[]) => Math.max(...times),
    'again with an earlier time',
    'decided',
  ],
  [
    'only for a limited time',
    (times: readonly number[]) => (lastOf(times) > 1000 * hour ? 0 : lastOf(times)),
    'indefinitely',
    'Violation',
  ],
  ['until the last time', lastOf, 'again with a later time', 'passed'],
  ['until the last time', lastOf, 'again with an earlier time', 'passed'],
  ['until the last time', lastOf, 'again indefinitely', 'passed'],
])('a server that stops notifications %s', async (_, silentUntil, label, expected) => {
  expect(await notifying(silentUntil)('stops-notifications', label)).toBe(expected)
})

test.each([
  ['a public key', 'abcdefgh', 'stated'],
  ['no user', undefined, 'decided'],
  ['an email address', 'oncall@lindgren.example', 'passed'],
])('a server that names %s as the user who acknowledged an alert', async (_, username, expected) => {
  for (const label of ['', 'by an API key', 'by a service account'])
    expect(await notifying(lastOf, username)('acknowledges', label)).toBe(expected)
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
test.each([
  ['lacks a field in the response to a change', [200, { id: 'a'.repeat(24) }], 'Violation'],
  ['already has the resource', [409], 'Untestable'],
  [
    'shows all fields in the response to a change',
    [200, { id: 'a', groupId: 'b', encryptionAtRestProvider: 'NONE', stateName: 'UPDATING' }],
    'passed',
  ],
] satisfies [string, Response, string][])('a server that %s', async (_, response, expected) => {
  const { context } = seeding(() => response)
  const rule = listedFields['resources.listed-fields']
  expect(await outcomeIn(context, dated('createSearchNodes'), rule, 'change')).toBe(expected)
})

test.each([
  ['changes other fields with the flag', 'Violation', (sent: JsonObject) => sent],
  ['rejects other fields with the flag', 'passed', () => undefined],
  ['changes only the flag', 'passed', ({ enabled = false }: JsonObject) => ({ enabled })],
])('a server that %s', async (_, expected, changesOf) => {
  let config: JsonObject = {}
  const { context } = seeding(({ method, body }) => {
    if (method === 'DELETE') return [204]
    const sent = parseJson(body ?? '')
    if (!isObject(sent)) return [200, config]
    // The kit creates another configuration for the parts of a valid call.
    if (method === 'POST' && 'id' in config) return [200, { id: 'b'.repeat(24) }]
    const changes = method === 'POST' ? { ...sent, id: 'a'.repeat(24) } : changesOf(sent)
    config = { ...config, ...changes }
    return changes === undefined ? [400] : [200, config]
  })
  const rule = toggleAlertConfig['toggleAlertConfig.changes-nothing-else']
  const label = 'true with other fields'
  expect(await outcomeIn(context, dated('toggleAlertConfig'), rule, label)).toBe(expected)
})

const severities = ['INFO', 'WARNING', 'ERROR', 'CRITICAL']

test.each([
  ['ignores an enum value in lower case', () => undefined, 'Violation'],
  ['replaces an enum value in lower case', () => 'INFO', 'Violation'],
  ['treats lower case as the listed value', (sent: string) => sent.toUpperCase(), 'passed'],
  ['rejects an enum value in lower case', () => 'rejected', 'passed'],
])('a server that %s', async (_, severityOf, expected) => {
  const { context } = seeding(({ method, body }) => {
    const sent = stringAt(parseJson(body ?? ''), 'severityOverride')
    const isListed = sent === undefined || severities.includes(sent)
    const severityOverride = isListed ? sent : severityOf(sent)
    if (severityOverride === 'rejected') return [400]
    return [method === 'DELETE' ? 204 : 200, { id: 'a'.repeat(24), severityOverride }]
  })
  const rule = bodies['bodies.constraints-enforced']
  const label = '/severityOverride enum critical has an effect'
  expect(await outcomeIn(context, dated('createAlertConfig'), rule, label)).toBe(expected)
})

test.each([
  ['ignores a status in lower case', (path: string) => !/status=[A-Z]/.test(path), 'Violation'],
  ['rejects a status in lower case', () => 'rejected', 'passed'],
  ['filters by a status in lower case', () => false, 'passed'],
])('a server that %s', async (_, isIgnored, expected) => {
  const alerts = ['OPEN', 'CLOSED'].map((status, index) => ({ id: `${index}`.repeat(24), status }))
  const { context } = seeding(({ path }) => {
    const status = /status=(\w+)/.exec(path)?.[1]
    const reaction = status === undefined || isIgnored(path)
    if (reaction === 'rejected') return [400]
    const results = reaction ? alerts : alerts.filter((one) => one.status === status?.toUpperCase())
    return [200, { results, totalCount: results.length }]
  })
  const rule = listAlerts['listAlerts.status-filters']
  expect(await outcomeIn(context, dated('listAlerts'), rule, 'open')).toBe(expected)
})

test.each([
  ['honors a flag of a later version', 'honors', 'Violation'],
  ['ignores a flag of a later version', 'ignores', 'passed'],
  ['rejects a flag of a later version', 'rejects', 'passed'],
])('a server that %s', async (_, reaction, expected) => {
  let alert: object = { id: 'a'.repeat(24), alertConfigId: 'b'.repeat(24), status: 'OPEN' }
  const { context } = seeding(
    ({ method, path, body }) => {
      if (method === 'DELETE') return [204]
      if (path.includes('/alertConfigs')) return [200, { id: 'b'.repeat(24) }]
      const sent = parseJson(body ?? '')
      if (!isObject(sent)) return [200, alert]
      const { acknowledgedUntil, unacknowledgeAlert } = sent
      if (reaction === 'rejects' && unacknowledgeAlert !== undefined) return [400]
      const isRemoved = reaction === 'honors' && unacknowledgeAlert === true
      alert = { ...alert, acknowledgedUntil: isRemoved ? undefined : acknowledgedUntil }
      return [200, alert]
    },
    { event: () => ['a'.repeat(24)] },
  )
  const cell = context.api.cell('acknowledgeAlert', '2023-01-01') ?? expect.fail('no such cell')
  const rule = acknowledgeAlert['acknowledgeAlert.acknowledges']
  expect(await outcomeIn(context, cell, rule, 'with the flag of a later version')).toBe(expected)
})

test("the key of the run's own project has every role in the project and the organization", async () => {
  const { context, rows } = seeding(() => [200])
  const own = await ownProject(context)
  const grants = listAt(rows.get('apiKeys')?.at(-1), 'roles')
  const places = grants.map((grant) => stringAt(grant, 'groupId') ?? stringAt(grant, 'orgId'))
  expect(new Set(places)).toEqual(new Set([own.groupId, own.orgId]))
  expect(own.groupId).not.toBe(groupId)
  expect(new Set(grants.map((grant) => stringAt(grant, 'role')))).toEqual(new Set(roleIds))
})

test('a server that rejects the second page of a list', async () => {
  const items = ['a', 'b', 'c'].map((id) => ({ id, links: [] }))
  const { context } = contextOver(({ path }) =>
    path.includes('pageNum=2') ? [404] : [200, { links: [], results: items, totalCount: items.length }],
  )
  const rule = paging['paging.number-selects']
  expect(await outcomeIn(context, dated('listAlertConfigs'), rule)).toBe('stated')
})

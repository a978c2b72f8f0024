import { expect, test } from 'vitest'
import { dated, outcomeIn, type Response, seeding } from '../test/context-over.ts'
import createExportJob from './cases/cloud-backups/createExportJob.ts'
import createRestoreJob from './cases/cloud-backups/createRestoreJob.ts'
import restoreJobs from './cases/cloud-backups/restore-jobs.ts'
import serverless from './cases/cloud-backups/serverless.ts'
import takeSnapshot from './cases/cloud-backups/takeSnapshot.ts'
import updateBackupSchedule from './cases/cloud-backups/updateBackupSchedule.ts'
import authorizing from './cases/cloud-provider-access/authorizeCloudProviderAccessRole.ts'
import endOutageSimulation from './cases/cluster-outage-simulation/endOutageSimulation.ts'
import {
  isObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  parseJson,
  stringAt,
} from './document/json.ts'
import { givenParameters } from './given/given.ts'
import bodies from './rules/parameters/bodies.ts'

/** Servers that differ from the reference server in backups or clusters, but conform. Checks must not report a violation. */

/** A server whose continuous backup covers only a week, or that has a minimum of its own. */
const restoring = (isCovered: (seconds: number) => boolean, refusal: Response) => {
  const seconds = (body = '') => Number(/"(?:oplogTs|pointInTimeUTCSeconds)":(\d+)/.exec(body)?.[1])
  return seeding(({ body }) => (isCovered(seconds(body)) ? [200, parseJson(body ?? '')] : refusal)).context
}
const uncovered = [409, { errorCode: 'INVALID_STATE' }] as const
const invalid = [400, { errorCode: 'VALIDATION_ERROR', parameters: ['/oplogTs'] }] as const
const lastWeek = Date.parse('2026-11-19T00:00:00Z') / 1000
const minimum = 1_199_145_600

test('a server may finish restore jobs immediately', async () => {
  const cell = dated('cancelRestoreJob')
  const { context: finished } = seeding(({ method }) =>
    method === 'POST' ? [200, { id: 'b'.repeat(24) }] : [200, { finishedAt: '2026-11-26T00:00:00Z' }],
  )
  await expect(givenParameters(finished, cell)).rejects.toThrow('a restore job that has not finished')
  for (const requirement of ['cancelRestoreJob.cancels', 'cancelRestoreJob.still-found'] as const)
    expect(await outcomeIn(finished, cell, restoreJobs[requirement])).toBe('Untestable')
  expect(await outcomeIn(finished, cell, restoreJobs['cancelRestoreJob.ended-refused'], 'twice')).toBe(
    'Untestable',
  )
})

test('a server may require the retention of snapshots', async () => {
  let taken = 0
  const { context } = seeding(({ method, body = '' }) => {
    if (method === 'GET') return [200, { id: 'a', status: taken === 1 ? 'queued' : 'completed' }]
    if (!body.includes('retentionInDays')) return [400, { errorCode: 'VALIDATION_ERROR' }]
    taken += 1
    return [taken === 1 ? 200 : 409, { id: 'a', errorCode: 'SNAPSHOT_IN_PROGRESS' }]
  })
  const rule = takeSnapshot['takeSnapshot.one-at-a-time-code']
  expect(await outcomeIn(context, dated('takeSnapshot'), rule)).toBe('passed')
})

test.each([
  ['rejects times that backups do not cover', (time: number) => time > lastWeek, uncovered, 'Untestable'],
  ['has a minimum that is too high by one', (time: number) => time > minimum, uncovered, 'stated'],
  ['has a validation rule for newer times', (time: number) => time > lastWeek, invalid, 'stated'],
  ['accepts the minimum', (time: number) => time >= minimum, uncovered, 'passed'],
])('a server that %s: the minimum of points in time', async (_, isCovered, refusal, expected) => {
  const context = restoring(isCovered, refusal)
  const cell = dated('createRestoreJob')
  const rule = createRestoreJob['createRestoreJob.epoch-seconds-bound']
  expect(await outcomeIn(context, cell, rule, 'oplogTs')).toBe(expected)
  const mutation = outcomeIn(context, cell, bodies['bodies.bounds-accepted'], '/oplogTs minimum')
  expect(await mutation).toBe(expected)
})

test('restores that must succeed have a recent time', async () => {
  const context = restoring((time) => time > lastWeek && time < Date.parse('2026-11-26') / 1000, uncovered)
  const types = createRestoreJob['createRestoreJob.delivery-types']
  expect(await outcomeIn(context, dated('createRestoreJob'), types, 'pointInTime')).toBe('passed')
  const moment = serverless['createServerlessRestoreJob.point-in-time-needs-moment']
  expect(await outcomeIn(context, dated('createServerlessRestoreJob'), moment, 'oplogTs')).toBe('passed')
})

test.each([
  ['requires account numbers of 12 digits', (arn: string) => /::\d{12}:role\//.test(arn), 'Untestable'],
  ['has a minimum that is too high by one', (arn: string) => arn.length > 20, 'stated'],
  ['has a much higher minimum', (arn: string) => arn.length > 30, 'stated'],
  ['accepts ARNs of 20 characters', (arn: string) => arn.length >= 20, 'passed'],
])('a server that %s: the length of ARNs', async (_, isAccepted, expected) => {
  const { context } = seeding(({ body }) => {
    const sent = parseJson(body ?? '')
    return isAccepted(stringAt(sent, 'iamAssumedRoleArn') ?? '') ? [200, sent] : invalid
  })
  const cell = dated('authorizeCloudProviderAccessRole')
  const rule = authorizing['authorizeCloudProviderAccessRole.arn-length']
  expect(await outcomeIn(context, cell, rule, '20')).toBe(expected)
  expect(await outcomeIn(context, cell, rule, '2048')).toBe('passed')
})

test.each([
  ['rejects labels without a key', (key: string) => key !== '', 'decided'],
  ['rejects labels', () => false, 'stated'],
])('a server that %s', async (_, isAccepted, expected) => {
  let job: Json = {}
  const { context } = seeding(({ method, body }) => {
    if (method === 'GET') return [200, job]
    job = { ...objectAt({ body: parseJson(body ?? '') ?? null }, 'body'), id: 'a' }
    const keys = listAt(job, 'customData').map((label) => stringAt(label, 'key') ?? '')
    return keys.every(isAccepted) ? [200, job] : invalid
  })
  const rule = createExportJob['createExportJob.custom-data-kept']
  expect(await outcomeIn(context, dated('createExportJob'), rule, 'generated', 300)).toBe(expected)
})

test.each([
  ['other fields in outage filters', [{ region: 'eu-north-1' }], 'decided'],
  ['no outage filters', [], 'stated'],
])('a simulation with %s', async (_, outageFilters, outcome) => {
  const { context, rows } = seeding(() => [200, { ...rows.get('outageSimulations')?.[0], outageFilters }])
  const rule = endOutageSimulation['endOutageSimulation.answers-with-outage-simulation']
  expect(await outcomeIn(context, dated('endOutageSimulation'), rule)).toBe(outcome)
})

test('a server may sort policy items and choose their IDs', async () => {
  let stored: JsonObject = {}
  const withItems = (body: JsonObject): JsonObject => {
    const policies = listAt(body, 'policies').map((policy) => ({
      policyItems: [...listAt(policy, 'policyItems')]
        .reverse()
        .map((item) => ({ ...Object(item), id: 'f'.repeat(24) })),
    }))
    return { ...body, ...(policies.length > 0 && { policies }) }
  }
  const { context } = seeding(({ method, path, body }) => {
    const clusterName = /clusters\/([^/]+)/.exec(path)?.[1]
    const sent = parseJson(body ?? '')
    if (method === 'PATCH' && isObject(sent)) stored = { ...stored, ...withItems(sent) }
    return [200, { ...stored, clusterName }]
  })
  const cell = dated('updateBackupSchedule')
  const stores = updateBackupSchedule['updateBackupSchedule.answers-with-backup-schedule']
  expect(await outcomeIn(context, cell, stores)).toBe('decided')
  const bounds = bodies['bodies.bounds-accepted']
  expect(await outcomeIn(context, cell, bounds, '/policies maxItems')).toBe('decided')
})

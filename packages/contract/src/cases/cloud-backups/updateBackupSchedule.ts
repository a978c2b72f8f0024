import { limits } from '@svc-admin/types'
import { forEach, ownResourceRule, type Rule, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { inspect, type Json, type JsonObject, listAt, numberAt, stringAt } from '../../document/json.ts'
import type { Strength } from '../../document/strength.ts'
import { expectAt, expectError, expectSuccess, expectThat } from '../../model/expect.ts'
import {
  copyTo,
  frequencyPairs,
  fullSchedule,
  hourlyRetentions,
  item,
  ownSchedule,
  policies,
  readSchedule,
} from '../../resources/backup-schedules.ts'
import { days, expectNamed, seedBucket, timestampAt } from '../../resources/backups.ts'
import { ownPolicy } from '../../resources/compliance.ts'
import { expectSameAsEarlier } from '../../resources/earlier-response.ts'
import { knownOf } from '../../resources/known-values.ts'
import {
  type OwnCluster,
  ownCluster,
  ownProject,
  sendRequest,
  unusedId,
} from '../../resources/own-resources.ts'
import {
  accepted,
  expectContains,
  expectField,
  expectSame,
  expectSeeded,
  fieldOf,
  refused,
  type SuccessfulResponse,
  successfulResponse,
  without,
} from '../../resources/successful-response.ts'

/** Returns the schedule without calculated fields and fields that change from one response to the next. */
const lasting = (trial: Trial, schedule: Json): JsonObject =>
  knownOf(trial, 'getBackupSchedule', schedule, 'links', 'nextSnapshot')

const change = async (trial: Trial, place: OwnCluster, body: JsonObject): Promise<SuccessfulResponse> =>
  successfulResponse(await sendRequest(trial, place, { body }))

/** Expects the change to be rejected. The error must name one of the given fields. */
const refuseAt = async (
  trial: Trial,
  place: OwnCluster,
  body: JsonObject,
  { why, at }: { readonly why: string; readonly at: readonly string[] },
): Promise<void> => {
  const exchange = await sendRequest(trial, place, { body })
  refused(exchange, why)
  expectAt(exchange, at)
}

/**
 * Each reference field determines one part of the time in `nextSnapshot`. The checks test the field's minimum, its
 * maximum and a value between them.
 */
const expectPart = async (
  trial: Trial,
  field: 'referenceHourOfDay' | 'referenceMinuteOfHour',
  partOf: (time: Date) => number,
  strengthOf: (next: number, schedule: Json) => Strength = () => 'decided',
): Promise<void> => {
  const place = await ownSchedule(trial, policies(item('daily', 1, 7)))
  const { minimum, maximum } = limits[field]
  for (const value of [minimum, maximum, minimum + 1 + trial.random.integer(maximum - minimum - 1)]) {
    const changed = await change(trial, place, { [field]: value })
    for (const { body, exchange } of [changed, await readSchedule(trial, place)]) {
      const next = timestampAt(body, 'nextSnapshot')
      expectThat(partOf(new Date(next)) === value, {
        expected: `a nextSnapshot with ${field} ${value} in UTC`,
        actual: inspect(fieldOf(body, 'nextSnapshot')),
        exchange,
        strength: strengthOf(next, body),
      })
    }
  }
}

/** A server may start daily snapshots within an hour after the reference time. */
const strengthOfHour = (next: number, schedule: Json): Strength => {
  const [hour, minute] = ['referenceHourOfDay', 'referenceMinuteOfHour'].map(
    (name) => numberAt(schedule, name) ?? 0,
  )
  const reference = days(((hour ?? 0) * 60 + (minute ?? 0)) / (24 * 60))
  const since = (next - reference) % days(1)
  return since < days(1) / 24 ? 'decided' : 'stated'
}

/** Each of these bodies contains a field that responses never contain. */
const requestOnly = (): JsonObject[] => [
  { deleteCopiedBackups: [] },
  { updateSnapshots: true },
  { updateSnapshots: false },
]

const dailyPolicy: JsonObject = { policyItems: [item('daily', 1, 7)] }

/** Servers may ignore a second policy that has no items. */
const twoPolicies = (): [string, JsonObject[]][] => [
  ['two policies', [dailyPolicy, dailyPolicy]],
  ['second policy without items', [dailyPolicy, {}]],
  ['second policy with an empty list', [dailyPolicy, { policyItems: [] }]],
  ['first policy without items', [{}, dailyPolicy]],
  ['two policies without items', [{}, {}]],
]

/**
 * Expects an empty list to remove all items. A field in the request takes effect even if its value is an empty list.
 */
const emptied = (field: string, itemOf: (trial: Trial) => JsonObject): Rule =>
  ownResourceRule(
    async (trial) => {
      const place = await ownCluster(trial.context)
      await change(trial, place, { [field]: [itemOf(trial)] })
      const exchange = await sendRequest(trial, place, { body: { [field]: [] } })
      expectSuccess(exchange, `a success for an empty ${field}`, 'decided')
      const after = await readSchedule(trial, place)
      expectThat(listAt(after.body, field).length === 0, {
        expected: `${field} to be empty, because the request sent []`,
        actual: inspect(fieldOf(after.body, field)),
        exchange: after.exchange,
      })
    },
    { label: 'emptied' },
  )

export default rules({
  'updateBackupSchedule.answers-with-backup-schedule': ownResourceRule(async (trial) => {
    const place = await ownCluster(trial.context)
    let changed = await change(trial, place, fullSchedule)
    expectSeeded(trial.cell, changed, fullSchedule)
    const [hour, minute] = [limits.referenceHourOfDay, limits.referenceMinuteOfHour]
    for (const ends of [
      { referenceHourOfDay: hour.minimum, referenceMinuteOfHour: minute.maximum },
      { referenceHourOfDay: hour.maximum, referenceMinuteOfHour: minute.minimum },
    ]) {
      changed = await change(trial, place, ends)
      expectSeeded(trial.cell, changed, { ...fullSchedule, ...ends })
    }
    expectField(changed, 'clusterName', place.clusterName)
    const again = await readSchedule(trial, place)
    expectSameAsEarlier(again.exchange, lasting(trial, again.body), {
      operation: 'updateBackupSchedule',
      value: lasting(trial, changed.body),
    })
  }),

  'updateBackupSchedule.only-what-is-sent': ownResourceRule(async (trial) => {
    const place = await ownSchedule(trial)
    const before = await readSchedule(trial, place)
    for (const body of [{ referenceMinuteOfHour: 45 }, { restoreWindowDays: 2 }, {}])
      await change(trial, place, body)
    const after = await readSchedule(trial, place)
    expectContains(after.exchange, after.body, { referenceMinuteOfHour: 45, restoreWindowDays: 2 })
    const rest = (body: Json) => without(lasting(trial, body), 'referenceMinuteOfHour', 'restoreWindowDays')
    expectSame(after.exchange, 'the rest', rest(after.body), rest(before.body))
  }),

  'updateBackupSchedule.policies-at-most-1': forEach(
    twoPolicies,
    ([label]) => label,
    async (trial, [, sent]) => {
      const place = await ownCluster(trial.context)
      const tooMany = { why: 'only one policy is allowed', at: ['/policies'] }
      await refuseAt(trial, place, { policies: sent }, tooMany)
      await change(trial, place, { policies: [dailyPolicy] })
    },
    { phase: 'write' },
  ),

  'updateBackupSchedule.retention-grows': forEach(
    frequencyPairs,
    (pair) => pair.join(' and '),
    async (trial, [more, less]) => {
      const place = await ownCluster(trial.context)
      const shrinking = [item(more, 1, 8), item(less, 1, 1, 'weeks')]
      const why = `${more} snapshots have a longer retention than ${less} snapshots`
      for (const items of [shrinking, shrinking.toReversed()])
        await refuseAt(trial, place, policies(...items), { why, at: ['/policies'] })
      await change(trial, place, policies(item(more, 1, 7), item(less, 1, 1, 'weeks')))
    },
    { phase: 'write' },
  ),

  'updateBackupSchedule.window-positive': ownResourceRule(async (trial) => {
    const { minimum } = limits.restoreWindowDays
    const place = await ownSchedule(trial)
    const below = { restoreWindowDays: minimum - 1 }
    await refuseAt(trial, place, below, {
      why: 'the restore window is below the minimum',
      at: ['/restoreWindowDays'],
    })
    expectField(await change(trial, place, { restoreWindowDays: minimum }), 'restoreWindowDays', minimum)
  }),

  'updateBackupSchedule.window-within-hourly-retention': forEach(
    hourlyRetentions,
    ({ label }) => label,
    async (trial, { items, fits, exceeds }) => {
      const place = await ownSchedule(trial, policies(...items))
      const tooWide = {
        why: 'the restore window is longer than the hourly retention',
        at: ['/restoreWindowDays', '/policies'],
      }
      await refuseAt(trial, place, { restoreWindowDays: exceeds }, tooWide)
      expectSuccess(await sendRequest(trial, place, { body: { restoreWindowDays: fits } }))
    },
    { phase: 'write' },
  ),

  'updateBackupSchedule.reference-hour-in-utc': ownResourceRule((trial) =>
    expectPart(trial, 'referenceHourOfDay', (time) => time.getUTCHours(), strengthOfHour),
  ),

  'updateBackupSchedule.reference-minute': ownResourceRule((trial) =>
    expectPart(trial, 'referenceMinuteOfHour', (time) => time.getUTCMinutes()),
  ),

  'updateBackupSchedule.copies-stored': [
    ownResourceRule(async (trial) => {
      const place = await ownCluster(trial.context)
      const copySettings = [copyTo(trial, 'EU_WEST_1'), copyTo(trial, 'EU_WEST_2')]
      await change(trial, place, { copySettings })
      const { body, exchange } = await readSchedule(trial, place)
      expectContains(exchange, fieldOf(body, 'copySettings'), copySettings)
      // Removing the earlier settings is our decision, but the new setting must be stored.
      await change(trial, place, { copySettings: [copyTo(trial, 'EU_CENTRAL_1')] })
      const after = await readSchedule(trial, place)
      const regions = listAt(after.body, 'copySettings').map((one) => stringAt(one, 'regionName'))
      expectThat(regions.includes('EU_CENTRAL_1'), {
        expected: 'copySettings with EU_CENTRAL_1',
        actual: inspect(regions),
        exchange: after.exchange,
      })
    }),
    emptied('copySettings', (trial) => copyTo(trial, 'EU_WEST_1')),
  ],

  'updateBackupSchedule.copies-replaced': ownResourceRule(async (trial) => {
    const place = await ownCluster(trial.context)
    const [first, second, third] = ['EU_WEST_1', 'EU_WEST_2', 'EU_CENTRAL_1'].map((one) => copyTo(trial, one))
    for (const copySettings of [[first ?? {}, second ?? {}], [third ?? {}], []]) {
      await change(trial, place, { copySettings })
      const { body, exchange } = await readSchedule(trial, place)
      expectContains(exchange, fieldOf(body, 'copySettings'), copySettings)
    }
  }),

  'updateBackupSchedule.request-only-members': forEach(requestOnly, inspect, async (trial, body) => {
    await change(trial, await ownSchedule(trial), body)
  }),

  'updateBackupSchedule.request-only-unanswered': forEach(requestOnly, inspect, async (trial, body) => {
    const place = await ownSchedule(trial)
    for (const schedule of [await change(trial, place, body), await readSchedule(trial, place)])
      for (const name of Object.keys(body)) expectField(schedule, name, undefined)
  }),

  'updateBackupSchedule.auto-export-needs-bucket': ownResourceRule(async (trial) => {
    const within = await ownProject(trial.context)
    const place = await ownCluster(trial.context, {}, within)
    const exported = ['/export', '/autoExportEnabled']
    for (const body of [
      { autoExportEnabled: true },
      { autoExportEnabled: true, export: { frequencyType: 'daily' } },
    ])
      await refuseAt(trial, place, body, { why: 'automatic export requires a bucket', at: exported })
    const exportBucketId = await seedBucket(trial, within)
    await change(trial, place, { autoExportEnabled: true, export: { exportBucketId } })
  }),

  'updateBackupSchedule.bucket-must-exist': ownResourceRule(async (trial) => {
    const place = await ownCluster(trial.context)
    const pointer = '/export/exportBucketId'
    const ofAnother = await seedBucket(trial, await ownProject(trial.context))
    for (const exportBucketId of [unusedId(), ofAnother]) {
      const exchange = await sendRequest(trial, place, { body: { export: { exportBucketId } } })
      expectNamed(exchange, 'RESOURCE_NOT_FOUND', pointer, 'the project has no bucket with this ID')
    }
  }),

  'updateBackupSchedule.extra-retention-kept': [
    ownResourceRule(async (trial) => {
      const place = await ownCluster(trial.context)
      const extraRetentionSettings = [
        { frequencyType: 'weekly', retentionDays: 5 },
        { frequencyType: 'daily', retentionDays: 2 },
      ]
      for (const { body, exchange } of [
        await change(trial, place, { extraRetentionSettings }),
        await readSchedule(trial, place),
      ])
        expectContains(exchange, fieldOf(body, 'extraRetentionSettings'), extraRetentionSettings)
    }),
    emptied('extraRetentionSettings', () => ({ frequencyType: 'daily', retentionDays: 2 })),
  ],

  'updateBackupSchedule.inner-members-open': forEach(
    (): [string, (trial: Trial, exportBucketId: string) => JsonObject][] => [
      ['policy', () => ({ policies: [{ policyItems: [], somethingElse: 1 }] })],
      ['policy item', () => policies({ ...item('daily', 1, 7), somethingElse: 1 })],
      ['policy item without an interval', () => policies({ ...item('daily', 0, 7), id: 'mine' })],
      ['copy setting', (trial) => ({ copySettings: [{ ...copyTo(trial, 'EU_WEST_1'), somethingElse: 1 }] })],
      ['export', (_, exportBucketId) => ({ export: { exportBucketId, somethingElse: 1 } })],
      [
        'extra retention of fewer days than none',
        () => ({ extraRetentionSettings: [{ retentionDays: -1 }] }),
      ],
      ['extra retention', () => ({ extraRetentionSettings: [{ retentionDays: 2, somethingElse: 1 }] })],
    ],
    ([where]) => where,
    async (trial, [where, bodyOf]) => {
      const within = await ownProject(trial.context)
      const place = await ownCluster(trial.context, {}, within)
      const body = bodyOf(trial, await seedBucket(trial, within))
      accepted(await sendRequest(trial, place, { body }), `an undocumented field in a ${where}`)
    },
  ),

  'updateBackupSchedule.below-compliance-refused': ownResourceRule(async (trial) => {
    const place = await ownCluster(trial.context, {}, await ownPolicy(trial))
    for (const short of [policies(item('daily', 1, 6)), policies(item('weekly', 1, 4, 'weeks'))]) {
      const exchange = await sendRequest(trial, place, { body: short })
      expectError(
        exchange,
        'COMPLIANCE_POLICY_ACTIVE',
        'the compliance policy requires daily snapshots with a retention of a week',
      )
    }
    await change(trial, place, policies(item('daily', 1, 7)))
  }),
})

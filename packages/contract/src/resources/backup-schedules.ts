import type { Trial } from '../check/trial.ts'
import { type Json, type JsonObject, objectAt } from '../document/json.ts'
import type { Strength } from '../document/strength.ts'
import { prepared, readAt, sendInAnyVersion } from './backups.ts'
import { type OwnCluster, type OwnProject, ownCluster, sendToNewest, unusedId } from './own-resources.ts'
import type { SuccessfulResponse } from './successful-response.ts'

/** Returns a policy item of a schedule or a compliance policy. */
export const item = (
  frequencyType: string,
  frequencyInterval: number,
  retentionValue: number,
  retentionUnit = 'days',
): JsonObject => ({ frequencyType, frequencyInterval, retentionUnit, retentionValue })

/** Returns the body of a schedule with the given policy items. */
export const policies = (...policyItems: readonly JsonObject[]): JsonObject => ({
  policies: [{ policyItems }],
})

/** Policy item frequencies. Each frequency is less frequent than the one before. */
export const frequencies = ['hourly', 'daily', 'weekly', 'monthly', 'yearly'] as const
export type Frequency = (typeof frequencies)[number]

/** The specification doesn't list all frequencies. A server may ignore yearly items, because we added them. */
export const strengthOfFrequency = (frequency: Frequency): Strength =>
  frequency === 'yearly' ? 'decided' : 'stated'

/** Returns all pairs of a frequency and a lower frequency. Servers may compare only adjacent frequencies. */
export const frequencyPairs = (): [more: Frequency, less: Frequency][] =>
  frequencies.flatMap((more, index) =>
    frequencies.slice(index + 1).map((less): [Frequency, Frequency] => [more, less]),
  )

/**
 * Policy items with a retention period for hourly snapshots, a restore window that fits into this period, and a restore
 * window that doesn't.
 */
interface HourlyRetention {
  readonly label: string
  readonly items: readonly JsonObject[]
  readonly fits: number
  readonly exceeds: number
  /** The specification doesn't list the units of policy items, so accepting units other than days is our decision. */
  readonly unit: Strength
}

/**
 * Returns policy items for hourly snapshots, with retention periods in each unit. Because months and years vary in
 * length, windows that fit only some of them aren't used.
 */
export const hourlyRetentions = (): HourlyRetention[] => {
  const [daily, threeDays] = [item('daily', 1, 10), item('hourly', 6, 3)]
  const inUnit = (label: string, fits: number, exceeds: number): HourlyRetention => ({
    label,
    fits,
    exceeds,
    unit: 'decided',
    items: [item('hourly', 6, 1, label)],
  })
  const inDays = { fits: 3, exceeds: 4, unit: 'stated' } as const
  return [
    { label: 'days', items: [threeDays], ...inDays },
    { label: 'hourly item after a daily item', items: [daily, threeDays], ...inDays },
    inUnit('weeks', 7, 8),
    inUnit('months', 28, 32),
    inUnit('years', 365, 367),
  ]
}

/** The body of a schedule in which no field has its default value. */
export const fullSchedule: JsonObject = {
  ...policies(item('hourly', 6, 7), item('daily', 1, 30), item('weekly', 5, 8, 'weeks')),
  referenceHourOfDay: 5,
  referenceMinuteOfHour: 20,
  restoreWindowDays: 3,
  extraRetentionSettings: [{ frequencyType: 'daily', retentionDays: 14 }],
  useOrgAndGroupNamesInExportPrefix: true,
}

/** Creates a cluster with the given schedule. */
export const ownSchedule = async (
  trial: Trial,
  schedule: JsonObject = fullSchedule,
  within?: OwnProject,
  differs: JsonObject = {},
): Promise<OwnCluster> => {
  const place = await ownCluster(trial.context, differs, within)
  prepared(await sendToNewest(trial, place, 'updateBackupSchedule', { body: schedule }), 'a backup schedule')
  return place
}

export const readSchedule = (trial: Trial, place: OwnCluster): Promise<SuccessfulResponse> =>
  readAt(trial, place, 'getBackupSchedule')

/** Changes a schedule in the version under test. */
export const changeSchedule = (trial: Trial, place: OwnCluster, body: Json) =>
  sendInAnyVersion(trial, place, 'updateBackupSchedule', { body })

/** Returns the field that identifies a part of the cluster in copy settings, in the version under test. */
export const copyField = ({ cell }: Trial): 'replicationSpecId' | 'zoneId' => {
  const setting = cell.version.document.follow('/components/schemas/CopySetting').value
  return 'zoneId' in objectAt(setting, 'properties') ? 'zoneId' : 'replicationSpecId'
}

/** Returns a copy setting for daily snapshots. */
export const copyTo = (trial: Trial, regionName: string): JsonObject => ({
  cloudProvider: 'AWS',
  regionName,
  [copyField(trial)]: unusedId(),
  frequencies: ['DAILY'],
  shouldCopyOplogs: false,
})

import { type Json, type JsonObject, objectAt } from '../document/json.ts'
import type { Trial } from '../engine/trial.ts'
import { prepared, readAt, sendInAnyVersion } from './backups.ts'
import { type OwnCluster, type OwnProject, ownCluster, sendToNewest } from './own-resources.ts'
import type { SuccessfulResponse } from './successful-response.ts'

/** A policy item, of schedules and compliance policies alike. */
export const item = (
  frequencyType: string,
  frequencyInterval: number,
  retentionValue: number,
  retentionUnit = 'days',
): JsonObject => ({ frequencyType, frequencyInterval, retentionUnit, retentionValue })

/** What gives a schedule these items. */
export const policies = (...policyItems: readonly JsonObject[]): JsonObject => ({
  policies: [{ policyItems }],
})

/** A schedule in which every member has a value that is not its default. */
export const fullSchedule: JsonObject = {
  ...policies(item('hourly', 6, 7), item('daily', 1, 30), item('weekly', 5, 8, 'weeks')),
  referenceHourOfDay: 5,
  referenceMinuteOfHour: 20,
  restoreWindowDays: 3,
  extraRetentionSettings: [{ frequencyType: 'daily', retentionDays: 14 }],
  useOrgAndGroupNamesInExportPrefix: true,
}

/** A cluster of its own with a schedule. */
export const ownSchedule = async (
  trial: Trial,
  schedule: JsonObject = fullSchedule,
  within?: OwnProject,
): Promise<OwnCluster> => {
  const place = await ownCluster(trial.context, {}, within)
  prepared(await sendToNewest(trial, place, 'updateBackupSchedule', { body: schedule }), 'a backup schedule')
  return place
}

/** The schedule of a cluster as it is now. */
export const readSchedule = (trial: Trial, place: OwnCluster): Promise<SuccessfulResponse> =>
  readAt(trial, place, 'getBackupSchedule')

/** Changes a schedule, in the version of the cell. */
export const changeSchedule = (trial: Trial, place: OwnCluster, body: Json) =>
  sendInAnyVersion(trial, place, 'updateBackupSchedule', { body })

/** The member that a copy setting names its part of the cluster by, in the version of the cell. */
export const copyField = ({ cell }: Trial): 'replicationSpecId' | 'zoneId' => {
  const setting = cell.version.document.follow('/components/schemas/CopySetting').value
  return 'zoneId' in objectAt(setting, 'properties') ? 'zoneId' : 'replicationSpecId'
}

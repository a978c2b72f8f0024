import type { Trial } from '../check/trial.ts'
import { type Json, type JsonObject, objectAt } from '../document/json.ts'
import { prepared, readAt, sendInAnyVersion } from './backups.ts'
import { type OwnCluster, type OwnProject, ownCluster, sendToNewest } from './own-resources.ts'
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
): Promise<OwnCluster> => {
  const place = await ownCluster(trial.context, {}, within)
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

import type { Trial } from '../check/trial.ts'
import { type Json, type JsonObject, objectAt } from '../document/json.ts'
import { prepared, readAt, sendInAnyVersion } from './backups.ts'
import { type OwnCluster, type OwnProject, ownCluster, sendToNewest } from './own-resources.ts'
import type { SuccessfulResponse } from './successful-response.ts'

/** A policy item for a schedule or a compliance policy. */
export const item = (
  frequencyType: string,
  frequencyInterval: number,
  retentionValue: number,
  retentionUnit = 'days',
): JsonObject => ({ frequencyType, frequencyInterval, retentionUnit, retentionValue })

/** The body for a schedule with the given policy items. */
export const policies = (...policyItems: readonly JsonObject[]): JsonObject => ({
  policies: [{ policyItems }],
})

/** A schedule in which no field has its default value. */
export const fullSchedule: JsonObject = {
  ...policies(item('hourly', 6, 7), item('daily', 1, 30), item('weekly', 5, 8, 'weeks')),
  referenceHourOfDay: 5,
  referenceMinuteOfHour: 20,
  restoreWindowDays: 3,
  extraRetentionSettings: [{ frequencyType: 'daily', retentionDays: 14 }],
  useOrgAndGroupNamesInExportPrefix: true,
}

/** A new cluster with a schedule. */
export const ownSchedule = async (
  trial: Trial,
  schedule: JsonObject = fullSchedule,
  within?: OwnProject,
): Promise<OwnCluster> => {
  const place = await ownCluster(trial.context, {}, within)
  prepared(await sendToNewest(trial, place, 'updateBackupSchedule', { body: schedule }), 'a backup schedule')
  return place
}

/** Reads a cluster's schedule. */
export const readSchedule = (trial: Trial, place: OwnCluster): Promise<SuccessfulResponse> =>
  readAt(trial, place, 'getBackupSchedule')

/** Changes a schedule with the version under test. */
export const changeSchedule = (trial: Trial, place: OwnCluster, body: Json) =>
  sendInAnyVersion(trial, place, 'updateBackupSchedule', { body })

/** The field that identifies the part of the cluster to which a copy setting applies, in the version under test. */
export const copyField = ({ cell }: Trial): 'replicationSpecId' | 'zoneId' => {
  const setting = cell.version.document.follow('/components/schemas/CopySetting').value
  return 'zoneId' in objectAt(setting, 'properties') ? 'zoneId' : 'replicationSpecId'
}

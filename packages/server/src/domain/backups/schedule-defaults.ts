import type { ScheduleDocument } from './backup-schemas.ts'

/** What holds of a schedule where nobody has said otherwise: snapshots are reckoned from midnight. */
export const scheduleDefaults = {
  copySettings: [],
  extraRetentionSettings: [],
  referenceHourOfDay: 0,
  referenceMinuteOfHour: 0,
  useOrgAndGroupNamesInExportPrefix: false,
} satisfies Partial<ScheduleDocument>

import type { ScheduleDocument } from './backup-schemas.ts'

/** A schedule's default settings. By default, snapshot times are relative to midnight. */
export const scheduleDefaults = {
  copySettings: [],
  extraRetentionSettings: [],
  referenceHourOfDay: 0,
  referenceMinuteOfHour: 0,
  useOrgAndGroupNamesInExportPrefix: false,
} satisfies Partial<ScheduleDocument>

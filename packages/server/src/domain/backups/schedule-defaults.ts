import type { ScheduleDocument } from './backup-schemas.ts'

/** The default settings of a schedule. By default, snapshot times are relative to midnight. */
export const scheduleDefaults = {
  copySettings: [],
  extraRetentionSettings: [],
  referenceHourOfDay: 0,
  referenceMinuteOfHour: 0,
  useOrgAndGroupNamesInExportPrefix: false,
} satisfies Partial<ScheduleDocument>

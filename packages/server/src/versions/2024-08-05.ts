import { asObject, type VersionChange } from './version-change.ts'

/** Before 2024-08-05 a copy setting named its part of the cluster by a replication specification, then by zone. */
const before = 'replicationSpecId'
const since = 'zoneId'

const renamed = (from: string, to: string) => (setting: unknown) => {
  const { [from]: value, ...rest } = asObject(setting)
  return value === undefined ? rest : { ...rest, [to]: value }
}

/** The same change in every list of copy settings that a body may have. */
function inCopySettings(body: unknown, change: (setting: unknown) => unknown): unknown {
  return Object.fromEntries(
    Object.entries(asObject(body)).map(([name, value]) =>
      (name === 'copySettings' || name === 'deleteCopiedBackups') && Array.isArray(value)
        ? [name, value.map(change)]
        : [name, value],
    ),
  )
}

const olderSchedule = (body: unknown) => inCopySettings(body, renamed(since, before))

/** 2024-08-05 names zones in the copy settings of a backup schedule. */
export const since20240805: VersionChange = {
  requests: { updateBackupSchedule: (body) => inCopySettings(body, renamed(before, since)) },
  responses: {
    getBackupSchedule: olderSchedule,
    updateBackupSchedule: olderSchedule,
    deleteBackupSchedules: olderSchedule,
  },
}

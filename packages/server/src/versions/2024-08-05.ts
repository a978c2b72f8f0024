import { asObject, type VersionChange } from './version-change.ts'

/** Before 2024-08-05 a copy setting named its part of the cluster by a replication specification, then by zone. */
const before = 'replicationSpecId'
const since = 'zoneId'

/**
 * The two members under each other's name. Copy settings are open, so that either version may be sent the name of the
 * other: what is checked in the one must not become what is not checked in the other, and back.
 */
function swapNames(setting: unknown): unknown {
  const { [before]: own, [since]: other, ...rest } = asObject(setting)
  return {
    ...rest,
    ...(own === undefined ? {} : { [since]: own }),
    ...(other === undefined ? {} : { [before]: other }),
  }
}

/** The same in every list of copy settings that a body may have. */
function swapNamesIn(body: unknown): unknown {
  return Object.fromEntries(
    Object.entries(asObject(body)).map(([name, value]) =>
      (name === 'copySettings' || name === 'deleteCopiedBackups') && Array.isArray(value)
        ? [name, value.map(swapNames)]
        : [name, value],
    ),
  )
}

/** 2024-08-05 names zones in the copy settings of a backup schedule. */
export const since20240805: VersionChange = {
  requests: { updateBackupSchedule: swapNamesIn },
  responses: {
    getBackupSchedule: swapNamesIn,
    updateBackupSchedule: swapNamesIn,
    deleteBackupSchedules: swapNamesIn,
  },
}

import { asObject, type VersionChange } from './version-change.ts'

/**
 * Before version 2024-08-05, a copy setting identified a part of the cluster by replication specification, not by
 * zone.
 */
const before = 'replicationSpecId'
const since = 'zoneId'

/**
 * Swaps the names of the two properties. Copy settings allow additional properties, so a request can contain the name
 * from the other version. Swapping the names ensures that an unvalidated value never replaces a validated value.
 */
function swapNames(setting: unknown): unknown {
  const { [before]: own, [since]: other, ...rest } = asObject(setting)
  return {
    ...rest,
    ...(own === undefined ? {} : { [since]: own }),
    ...(other === undefined ? {} : { [before]: other }),
  }
}

/** Swaps the names in all lists of copy settings in a body. */
function swapNamesIn(body: unknown): unknown {
  return Object.fromEntries(
    Object.entries(asObject(body)).map(([name, value]) =>
      (name === 'copySettings' || name === 'deleteCopiedBackups') && Array.isArray(value)
        ? [name, value.map(swapNames)]
        : [name, value],
    ),
  )
}

/** Version 2024-08-05 uses zones in the copy settings of a backup schedule. */
export const since20240805: VersionChange = {
  requests: { updateBackupSchedule: swapNamesIn },
  responses: {
    getBackupSchedule: swapNamesIn,
    updateBackupSchedule: swapNamesIn,
    deleteBackupSchedules: swapNamesIn,
  },
}

import { asObject, type VersionChange } from './version-change.ts'

/**
 * The field's name before version 2024-08-05. At that time, a copy setting used a replication specification
 * instead of a zone to identify a part of the cluster.
 */
const before = 'replicationSpecId'
const since = 'zoneId'

/**
 * Swaps the names of the two properties. Copy settings allow additional properties, so a request can also
 * contain the other version's name. Because the names are swapped, an unvalidated value never replaces a
 * validated one.
 */
function swapNames(setting: unknown): unknown {
  const { [before]: own, [since]: other, ...rest } = asObject(setting)
  return {
    ...rest,
    ...(own === undefined ? {} : { [since]: own }),
    ...(other === undefined ? {} : { [before]: other }),
  }
}

function swapNamesIn(body: unknown): unknown {
  return Object.fromEntries(
    Object.entries(asObject(body)).map(([name, value]) =>
      (name === 'copySettings' || name === 'deleteCopiedBackups') && Array.isArray(value)
        ? [name, value.map(swapNames)]
        : [name, value],
    ),
  )
}

/** Since version 2024-08-05, the copy settings in a backup schedule use zones. */
export const since20240805: VersionChange = {
  requests: { updateBackupSchedule: swapNamesIn },
  responses: {
    getBackupSchedule: swapNamesIn,
    updateBackupSchedule: swapNamesIn,
    deleteBackupSchedules: swapNamesIn,
  },
}

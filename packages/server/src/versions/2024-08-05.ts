import { asObject, type VersionChange } from './version-change.ts'

/**
 * The name of the field in versions before 2024-08-05. In those versions, copy settings identify a part of the cluster
 * by a replication specification instead of a zone.
 */
const before = 'replicationSpecId'
const since = 'zoneId'

/**
 * Swaps the names of the two fields. Copy settings allow additional properties, so a request can also contain the field
 * name of the other version. Swapping the names prevents an unvalidated value from replacing a validated one.
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

/** Since version 2024-08-05, copy settings in a backup schedule use zones. */
export const since20240805: VersionChange = {
  requests: { updateBackupSchedule: swapNamesIn },
  responses: {
    getBackupSchedule: swapNamesIn,
    updateBackupSchedule: swapNamesIn,
    deleteBackupSchedules: swapNamesIn,
  },
}

import { objectsIn } from '../typed-fields.ts'
import type { CopySetting, ScheduleDocument, SnapshotDocument } from './backup-schemas.ts'

/**
 * Returns the regions of the given copy settings. Stored copies contain only a region, so the other fields in the given
 * settings are compared with the schedule's copy settings. Ignores settings that the schedule no longer contains.
 */
export function regionsNamed(
  named: readonly CopySetting[],
  { copySettings }: Pick<ScheduleDocument, 'copySettings'>,
): ReadonlySet<string> {
  const known = objectsIn(copySettings)
  return new Set(named.flatMap((setting) => regionsOf(setting, known)))
}

function regionsOf(named: CopySetting, known: readonly CopySetting[]): string[] {
  const { regionName } = named
  const agreeing = known.filter((setting) => agrees(named, setting))
  if (regionName === undefined) return isBare(named) ? [] : agreeing.flatMap((one) => one.regionName ?? [])
  const ofRegion = known.some((setting) => setting.regionName === regionName)
  return !ofRegion || agreeing.length > 0 ? [regionName] : []
}

const identity = ['regionName', 'cloudProvider', 'zoneId'] as const

const isBare = (setting: CopySetting) => identity.every((field) => setting[field] === undefined)

/** Returns whether two settings have the same value for every field that both of them contain. */
function agrees(named: CopySetting, setting: CopySetting): boolean {
  return identity.every(
    (field) => named[field] === undefined || setting[field] === undefined || named[field] === setting[field],
  )
}

/**
 * Removes the copies in these regions from a snapshot. If the snapshot has no such copies, returns the document
 * unchanged.
 */
export function withoutCopies(document: SnapshotDocument, regions: ReadonlySet<string>): SnapshotDocument {
  if (!('copyRegions' in document)) return document
  const { copyRegions, ...rest } = document
  const left = copyRegions?.filter((region) => !regions.has(region))
  if (left === undefined || left.length === copyRegions?.length) return document
  return left.length === 0 ? rest : { ...rest, copyRegions: left }
}

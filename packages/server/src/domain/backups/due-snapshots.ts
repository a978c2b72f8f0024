import { numberIn, objectsIn } from '../open-members.ts'
import { lastMoment } from '../timestamp.ts'
import type { PolicyItem, ScheduleDocument } from './backup-schemas.ts'
import { keptUntil, prolonged } from './retention.ts'
import { infrequencyOf, type Rhythm, rhythmOf, sameFrequency } from './rhythm.ts'

/** A snapshot that a schedule asks for. */
export interface DueSnapshot {
  readonly at: number
  /** The items that ask for it, the least frequent first. */
  readonly items: readonly PolicyItem[]
  readonly expiresAt: number
}

/**
 * How many snapshots a jump of the clock takes for one policy item, and for a schedule. A clock set ahead by a
 * century must not take millions: the latest are taken. The control document says these numbers.
 */
const snapshotsPerItem = 1000
const snapshotsPerJump = 4000

/** How many a schedule of so many items takes for each: of many items, most would be looked at in vain. */
const shareOf = (items: number) =>
  Math.min(snapshotsPerItem, Math.max(1, Math.ceil(snapshotsPerJump / items)))

/** The policy items of a schedule. */
export function itemsOf({ policies }: Pick<ScheduleDocument, 'policies'>): readonly PolicyItem[] {
  return objectsIn(policies).flatMap(({ policyItems }) => objectsIn(policyItems))
}

/** When a schedule asks for the next snapshot after a moment; undefined for never. */
export function nextSnapshotAt(schedule: ScheduleDocument, after: number): number | undefined {
  const moments = timed(schedule).map(({ rhythm }) => rhythm.momentAt(rhythm.indexAt(after) + 1))
  const next = Math.min(...moments.filter((moment) => !Number.isNaN(moment)))
  return next <= lastMoment ? next : undefined
}

/**
 * The snapshots that a schedule asked for between two moments (both included) and that are not expired at the
 * second, or are exported by themselves: of one that was taken and expired in between, nothing else is left. Oldest
 * first.
 */
export function dueSnapshots(schedule: ScheduleDocument, from: number, now: number): DueSnapshot[] {
  const items = timed(schedule)
  const share = shareOf(items.length)
  const moments = new Set(items.flatMap((item) => momentsOf(item, schedule, { from, now, share })))
  return [...moments]
    .sort((a, b) => a - b)
    .slice(-snapshotsPerJump)
    .map((at) => snapshotOf(items, schedule, at))
    .filter(({ at, expiresAt }) => expiresAt > at)
}

/** Whether a schedule exports what an item asks for by itself. One that names no frequency exports everything. */
export function isExported({ autoExportEnabled, ...schedule }: ScheduleDocument, item: PolicyItem): boolean {
  const target = schedule.export
  if (!autoExportEnabled || !target) return false
  return target.frequencyType === undefined || sameFrequency(item, target)
}

interface Timed {
  readonly item: PolicyItem
  readonly rhythm: Rhythm
}

/** The items that ask for snapshots, the least frequent first. */
function timed(schedule: ScheduleDocument): Timed[] {
  return itemsOf(schedule)
    .flatMap((item) => {
      const rhythm = rhythmOf(item, schedule)
      return rhythm ? [{ item, rhythm }] : []
    })
    .sort((a, b) => (infrequencyOf(b.item) ?? 0) - (infrequencyOf(a.item) ?? 0))
}

function momentsOf(
  { item, rhythm }: Timed,
  schedule: ScheduleDocument,
  { from, now, share }: { readonly from: number; readonly now: number; readonly share: number },
): number[] {
  const moments: number[] = []
  const lasting = isExported(schedule, item)
  for (let index = rhythm.indexAt(now); moments.length < share; index--) {
    const at = rhythm.momentAt(index)
    if (Number.isNaN(at) || at < from || !(lasting || expiryOf(item, schedule, at) > now)) break
    moments.push(at)
  }
  return moments
}

function snapshotOf(all: readonly Timed[], schedule: ScheduleDocument, at: number): DueSnapshot {
  const items = all.filter(({ rhythm }) => asksAt(rhythm, at)).map(({ item }) => item)
  return { at, items, expiresAt: latestExpiry(items, schedule, at) }
}

/** What a snapshot of a schedule says of who asked for it. */
export interface AskedSnapshot {
  readonly createdAt: number
  /** That of the least frequent item. */
  readonly frequencyType: string
  /** The identifiers of all of them; a change of the schedule may have given them others since. */
  readonly policyItems: readonly string[]
}

/** The items of a schedule, changed or not, that stand for those that asked for a snapshot. */
export function askersIn(schedule: ScheduleDocument): (snapshot: AskedSnapshot) => readonly PolicyItem[] {
  const items = itemsOf(schedule).map((item) => ({
    item,
    infrequency: infrequencyOf(item) ?? 0,
    rhythm: rhythmOf(item, schedule),
  }))
  return (snapshot) => {
    const { createdAt, policyItems } = snapshot
    const own = infrequencyOf(snapshot) ?? 0
    const askers = items.filter(
      ({ item, infrequency, rhythm }) =>
        (item.id !== undefined && policyItems.includes(item.id)) ||
        (rhythm && asksAt(rhythm, createdAt) && infrequency <= own),
    )
    const isOwn = ({ item }: { item: PolicyItem }) => sameFrequency(item, snapshot)
    return (askers.some(isOwn) ? askers : items.filter(isOwn)).map(({ item }) => item)
  }
}

/** When a snapshot that items asked for expires: whichever keeps it longest. */
export function latestExpiry(items: readonly PolicyItem[], schedule: ScheduleDocument, at: number): number {
  return Math.max(...items.map((item) => expiryOf(item, schedule, at)))
}

const asksAt = (rhythm: Rhythm, at: number) => rhythm.momentAt(rhythm.indexAt(at)) === at

/** When a snapshot that an item asked for expires, the days that its frequency is granted in addition included. */
function expiryOf(item: PolicyItem, schedule: ScheduleDocument, at: number): number {
  const extra = objectsIn(schedule.extraRetentionSettings).find((one) => sameFrequency(one, item))
  return prolonged(keptUntil(at, item), numberIn(extra?.retentionDays) ?? 0)
}

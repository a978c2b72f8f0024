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
 * How many snapshots are taken for one policy item, and for all of a schedule together: the latest. A clock set ahead by a
 * century must not take millions, nor one that runs so fast; of what an item of each frequency asks for at the pace of the
 * wall nothing is left out in ten years. The control document says these numbers.
 */
const mostOfJump = { item: 1000, schedule: 4000 }
const mostOfRun = { item: 100_000, schedule: 100_000 }

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

/** The time that a schedule is asked about: both moments are included. */
export interface DueSpan {
  readonly from: number
  /** Where the clock was put to in between, if it was: what is later has come round by itself. */
  readonly jumpedTo: number
  readonly now: number
}

/**
 * The moments of the snapshots that a schedule asked for and that were not expired at the end, that of a jump or now, or
 * are exported by themselves: of one that was taken and expired in between, nothing else is left. Oldest first.
 */
export function dueMoments(schedule: ScheduleDocument, { from, jumpedTo, now }: DueSpan): number[] {
  const items = timed(schedule)
  return [
    ...momentsWithin(items, schedule, { from, now: Math.min(jumpedTo, now) }, mostOfJump),
    ...momentsWithin(items, schedule, { from: Math.max(from, jumpedTo + 1), now }, mostOfRun),
  ]
}

/** The snapshots that a schedule asks for at moments. */
export function snapshotsAt(schedule: ScheduleDocument, moments: readonly number[]): DueSnapshot[] {
  const items = timed(schedule)
  return moments.map((at) => snapshotOf(items, schedule, at)).filter(({ at, expiresAt }) => expiresAt > at)
}

/**
 * The moments at which the items asked for snapshots between two moments, oldest first. Where they are too many, items
 * that ask for less than an even share have all of theirs, and leave the rest to the others.
 */
function momentsWithin(
  items: readonly Timed[],
  schedule: ScheduleDocument,
  { from, now }: Omit<DueSpan, 'jumpedTo'>,
  most: typeof mostOfJump,
): number[] {
  if (from > now) return []
  const moments = new Set<number>()
  let asking = items.map((item) => momentsOf(item, schedule, { from, now, most: most.item }))
  for (let left = most.schedule; left > 0 && asking.length > 0; ) {
    const share = Math.ceil(left / asking.length)
    asking = asking.filter((latest) => {
      for (let taken = 0; taken < share; taken++) {
        const { done, value } = latest.next()
        if (done) return false
        moments.add(value)
        left -= 1
      }
      return true
    })
  }
  return [...moments].sort((a, b) => a - b).slice(-most.schedule)
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

/** What was taken on the last days of a month may expire by the calendar in another order, so long before or after. */
const expiryDisorder = 3 * 86_400_000

/** The moments of one item, the latest first, so many at most. */
function* momentsOf(
  { item, rhythm }: Timed,
  schedule: ScheduleDocument,
  { from, now, most }: { readonly from: number; readonly now: number; readonly most: number },
): Generator<number, undefined> {
  const lasting = isExported(schedule, item)
  let earliest = from
  let found = 0
  for (let index = rhythm.indexAt(now); found < most; index--) {
    const at = rhythm.momentAt(index)
    if (Number.isNaN(at) || at < earliest) break
    if (lasting || expiryOf(item, schedule, at) > now) {
      found += 1
      yield at
    } else if (earliest === from) earliest = Math.max(from, at - expiryDisorder)
  }
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

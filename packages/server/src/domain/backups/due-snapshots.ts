import { latestTime } from '../timestamp.ts'
import { numberIn, objectsIn } from '../typed-fields.ts'
import type { PolicyItem, ScheduleDocument } from './backup-schemas.ts'
import { infrequencyOf, type Recurrence, recurrenceOf, sameFrequency } from './recurrence.ts'
import { expiryAfter, extended } from './retention.ts'

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
const jumpLimits = { item: 1000, schedule: 4000 }
const runLimits = { item: 100_000, schedule: 100_000 }

/** The policy items of a schedule. */
export function itemsOf({ policies }: Pick<ScheduleDocument, 'policies'>): readonly PolicyItem[] {
  return objectsIn(policies).flatMap(({ policyItems }) => objectsIn(policyItems))
}

/** When a schedule asks for the next snapshot after a moment; undefined for never. */
export function nextSnapshotAt(schedule: ScheduleDocument, after: number): number | undefined {
  const times = timed(schedule).map(({ recurrence }) => recurrence.timeAt(recurrence.indexAt(after) + 1))
  const next = Math.min(...times.filter((time) => !Number.isNaN(time)))
  return next <= latestTime ? next : undefined
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
export function dueTimes(schedule: ScheduleDocument, { from, jumpedTo, now }: DueSpan): number[] {
  const items = timed(schedule)
  return [
    ...timesWithin(items, schedule, { from, now: Math.min(jumpedTo, now) }, jumpLimits),
    ...timesWithin(items, schedule, { from: Math.max(from, jumpedTo + 1), now }, runLimits),
  ]
}

/** The snapshots that a schedule asks for at moments. */
export function snapshotsAt(schedule: ScheduleDocument, times: readonly number[]): DueSnapshot[] {
  const items = timed(schedule)
  return times.map((at) => snapshotOf(items, schedule, at)).filter(({ at, expiresAt }) => expiresAt > at)
}

/**
 * The moments at which the items asked for snapshots between two moments, oldest first. Where they are too many, items
 * that ask for less than an even share have all of theirs, and leave the rest to the others.
 */
function timesWithin(
  items: readonly Timed[],
  schedule: ScheduleDocument,
  { from, now }: Omit<DueSpan, 'jumpedTo'>,
  most: typeof jumpLimits,
): number[] {
  if (from > now) return []
  const times = new Set<number>()
  let asking = items.map((item) => timesOf(item, schedule, { from, now, most: most.item }))
  for (let left = most.schedule; left > 0 && asking.length > 0; ) {
    const share = Math.ceil(left / asking.length)
    asking = asking.filter((latest) => {
      for (let count = 0; count < share; count++) {
        const { done, value } = latest.next()
        if (done) return false
        times.add(value)
        left -= 1
      }
      return true
    })
  }
  return [...times].sort((a, b) => a - b).slice(-most.schedule)
}

/** Whether a schedule exports what an item asks for by itself. One that names no frequency exports everything. */
export function isExported({ autoExportEnabled, ...schedule }: ScheduleDocument, item: PolicyItem): boolean {
  const target = schedule.export
  if (!autoExportEnabled || !target) return false
  return target.frequencyType === undefined || sameFrequency(item, target)
}

interface Timed {
  readonly item: PolicyItem
  readonly recurrence: Recurrence
}

/** The items that ask for snapshots, the least frequent first. */
function timed(schedule: ScheduleDocument): Timed[] {
  return itemsOf(schedule)
    .flatMap((item) => {
      const recurrence = recurrenceOf(item, schedule)
      return recurrence ? [{ item, recurrence: recurrence }] : []
    })
    .sort((a, b) => (infrequencyOf(b.item) ?? 0) - (infrequencyOf(a.item) ?? 0))
}

/** What was taken on the last days of a month may expire by the calendar in another order, so long before or after. */
const expiryDisorder = 3 * 86_400_000

/** The moments of one item, the latest first, so many at most. */
function* timesOf(
  { item, recurrence }: Timed,
  schedule: ScheduleDocument,
  { from, now, most }: { readonly from: number; readonly now: number; readonly most: number },
): Generator<number, undefined> {
  const lasting = isExported(schedule, item)
  let earliest = from
  let found = 0
  for (let index = recurrence.indexAt(now); found < most; index--) {
    const at = recurrence.timeAt(index)
    if (Number.isNaN(at) || at < earliest) break
    if (lasting || expiryOf(item, schedule, at) > now) {
      found += 1
      yield at
    } else if (earliest === from) earliest = Math.max(from, at - expiryDisorder)
  }
}

function snapshotOf(all: readonly Timed[], schedule: ScheduleDocument, at: number): DueSnapshot {
  const items = all.filter(({ recurrence }) => isDueAt(recurrence, at)).map(({ item }) => item)
  return { at, items, expiresAt: latestExpiry(items, schedule, at) }
}

/** What a snapshot of a schedule says of who asked for it. */
export interface ScheduledSnapshot {
  readonly createdAt: number
  /** That of the least frequent item. */
  readonly frequencyType: string
  /** The identifiers of all of them; a change of the schedule may have given them others since. */
  readonly policyItems: readonly string[]
}

/** The items of a schedule, changed or not, that stand for those that asked for a snapshot. */
export function matchingItemsIn(
  schedule: ScheduleDocument,
): (snapshot: ScheduledSnapshot) => readonly PolicyItem[] {
  const items = itemsOf(schedule).map((item) => ({
    item,
    infrequency: infrequencyOf(item) ?? 0,
    recurrence: recurrenceOf(item, schedule),
  }))
  return (snapshot) => {
    const { createdAt, policyItems } = snapshot
    const own = infrequencyOf(snapshot) ?? 0
    const matching = items.filter(
      ({ item, infrequency, recurrence }) =>
        (item.id !== undefined && policyItems.includes(item.id)) ||
        (recurrence && isDueAt(recurrence, createdAt) && infrequency <= own),
    )
    const isOwn = ({ item }: { item: PolicyItem }) => sameFrequency(item, snapshot)
    return (matching.some(isOwn) ? matching : items.filter(isOwn)).map(({ item }) => item)
  }
}

/** When a snapshot that items asked for expires: whichever keeps it longest. */
export function latestExpiry(items: readonly PolicyItem[], schedule: ScheduleDocument, at: number): number {
  return Math.max(...items.map((item) => expiryOf(item, schedule, at)))
}

const isDueAt = (recurrence: Recurrence, at: number) => recurrence.timeAt(recurrence.indexAt(at)) === at

/** When a snapshot that an item asked for expires, the days that its frequency is granted in addition included. */
function expiryOf(item: PolicyItem, schedule: ScheduleDocument, at: number): number {
  const extra = objectsIn(schedule.extraRetentionSettings).find((one) => sameFrequency(one, item))
  return extended(expiryAfter(at, item), numberIn(extra?.retentionDays) ?? 0)
}

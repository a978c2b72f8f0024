import { latestTime } from '../timestamp.ts'
import { numberIn, objectsIn } from '../typed-fields.ts'
import type { PolicyItem, ScheduleDocument } from './backup-schemas.ts'
import { infrequencyOf, type Recurrence, recurrenceOf, sameFrequency } from './recurrence.ts'
import { expiryAfter, extended } from './retention.ts'

/** A snapshot that a schedule requires. */
export interface DueSnapshot {
  readonly at: number
  /** The policy items that require this snapshot, least frequent first. */
  readonly items: readonly PolicyItem[]
  readonly expiresAt: number
}

/**
 * The maximum number of snapshots per policy item and per schedule. The server takes only the latest snapshots. Without
 * a limit, the server would take millions of snapshots if the clock runs very fast or is set ahead by a century. At
 * normal clock speed, an item takes more than ten years to reach its limit. These numbers also appear in the OpenAPI
 * document of the control interface.
 */
const jumpLimits = { item: 1000, schedule: 4000 }
const runLimits = { item: 100_000, schedule: 100_000 }

export function itemsOf({ policies }: Pick<ScheduleDocument, 'policies'>): readonly PolicyItem[] {
  return objectsIn(policies).flatMap(({ policyItems }) => objectsIn(policyItems))
}

/**
 * Returns the time of a schedule's next snapshot after the given time, or undefined if no more snapshots are scheduled.
 */
export function nextSnapshotAt(schedule: ScheduleDocument, after: number): number | undefined {
  const times = timed(schedule).map(({ recurrence }) => recurrence.timeAt(recurrence.indexAt(after) + 1))
  const next = Math.min(...times.filter((time) => !Number.isNaN(time)))
  return next <= latestTime ? next : undefined
}

/** The period to search for due snapshots, including its start and end. */
export interface DueSpan {
  readonly from: number
  /** The time that the clock was set to during the period, if any. After that time, the clock ran normally. */
  readonly jumpedTo: number
  readonly now: number
}

/**
 * Returns the snapshot times in a period, oldest first. Omits snapshots that expired before the end of the clock jump
 * or before `now`, unless they are exported automatically.
 */
export function dueTimes(schedule: ScheduleDocument, { from, jumpedTo, now }: DueSpan): number[] {
  const items = timed(schedule)
  return [
    ...timesWithin(items, schedule, { from, now: Math.min(jumpedTo, now) }, jumpLimits),
    ...timesWithin(items, schedule, { from: Math.max(from, jumpedTo + 1), now }, runLimits),
  ]
}

/** Returns the snapshots that a schedule requires at the given times. */
export function snapshotsAt(schedule: ScheduleDocument, times: readonly number[]): DueSnapshot[] {
  const items = timed(schedule)
  return times.map((at) => snapshotOf(items, schedule, at)).filter(({ at, expiresAt }) => expiresAt > at)
}

/**
 * Returns the times in a period when items require snapshots, oldest first. If there are more times than the limit
 * allows, the limit is divided equally among the items. Items that need less than their share keep all their times, and
 * the other items share the rest.
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

/**
 * Returns whether a schedule automatically exports an item's snapshots. If the schedule has no export frequency, all
 * snapshots are exported.
 */
export function isExported({ autoExportEnabled, ...schedule }: ScheduleDocument, item: PolicyItem): boolean {
  const target = schedule.export
  if (!autoExportEnabled || !target) return false
  return target.frequencyType === undefined || sameFrequency(item, target)
}

interface Timed {
  readonly item: PolicyItem
  readonly recurrence: Recurrence
}

/** Returns the items that take snapshots, least frequent first. */
function timed(schedule: ScheduleDocument): Timed[] {
  return itemsOf(schedule)
    .flatMap((item) => {
      const recurrence = recurrenceOf(item, schedule)
      return recurrence ? [{ item, recurrence: recurrence }] : []
    })
    .sort((a, b) => (infrequencyOf(b.item) ?? 0) - (infrequencyOf(a.item) ?? 0))
}

/**
 * The maximum time between two snapshots if the later snapshot can expire first. At the end of a month, a later
 * snapshot can expire first because months have different lengths.
 */
const expiryDisorder = 3 * 86_400_000

/** Yields an item's snapshot times up to the limit, starting with the latest. */
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

/** The fields of a snapshot that identify its policy items in the schedule. */
export interface ScheduledSnapshot {
  readonly createdAt: number
  /** The frequency of the least frequent policy item. */
  readonly frequencyType: string
  /**
   * The IDs of all policy items at the time of the snapshot. If the schedule has changed since then, its policy items
   * may have different IDs.
   */
  readonly policyItems: readonly string[]
}

/** Finds the schedule's current items that correspond to the items of an existing snapshot. */
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

/** Returns the expiry of a snapshot that several items require, based on the longest retention. */
export function latestExpiry(items: readonly PolicyItem[], schedule: ScheduleDocument, at: number): number {
  return Math.max(...items.map((item) => expiryOf(item, schedule, at)))
}

const isDueAt = (recurrence: Recurrence, at: number) => recurrence.timeAt(recurrence.indexAt(at)) === at

/** Returns the expiry of a snapshot that an item requires, including the extra retention for the item's frequency. */
function expiryOf(item: PolicyItem, schedule: ScheduleDocument, at: number): number {
  const extra = objectsIn(schedule.extraRetentionSettings).find((one) => sameFrequency(one, item))
  return extended(expiryAfter(at, item), numberIn(extra?.retentionDays) ?? 0)
}

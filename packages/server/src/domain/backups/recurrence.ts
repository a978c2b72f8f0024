import { timeAfter } from '../timestamp.ts'
import { numberIn, textIn } from '../typed-fields.ts'
import type { PolicyItem } from './backup-schemas.ts'
import { dayOfMonth, monthStart } from './retention.ts'
import { scheduleDefaults } from './schedule-defaults.ts'

/** The time of day for snapshots, in UTC. */
export interface Reference {
  readonly referenceHourOfDay?: number
  readonly referenceMinuteOfHour?: number
}

/** The times when a policy item takes snapshots, numbered consecutively. */
export interface Recurrence {
  timeAt(index: number): number
  /** Returns the number of the last snapshot at or before the given time. */
  indexAt(at: number): number
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** The first Monday after the Unix epoch, which was a Thursday. */
const monday = 4 * day

/**
 * The recurrence for each frequency, starting with the most frequent. The meaning of an item's interval depends on its
 * frequency.
 */
const recurrences: Readonly<Record<string, (interval: number, offset: number) => Recurrence>> = {
  hourly: (interval, offset) => every(timeAfter(0, interval * hour), offset),
  daily: (interval, offset) => every(timeAfter(0, interval * day), offset),
  weekly: (interval, offset) => every(7 * day, timeAfter(monday + offset, ((interval - 1) % 7) * day)),
  monthly: (interval, offset) => everyMonths(1, 0, interval, offset),
  yearly: (interval, offset) => everyMonths(12, (interval - 1) % 12, 1, offset),
}

const order = Object.keys(recurrences)

/**
 * The frequencies for which the interval is the time between two snapshots. For these frequencies, a longer interval
 * means fewer snapshots.
 */
const distances: readonly string[] = ['hourly', 'daily']

/** Returns the rank of an item's frequency, where 0 is the most frequent, or undefined if the frequency is unknown. */
export function infrequencyOf(item: PolicyItem): number | undefined {
  const found = order.indexOf(frequencyOf(item) ?? '')
  return found < 0 ? undefined : found
}

/** Returns whether two items have the same frequency. Case doesn't matter. */
export function sameFrequency(a: { frequencyType?: string }, b: { frequencyType?: string }): boolean {
  return frequencyOf(a) === frequencyOf(b)
}

const frequencyOf = ({ frequencyType }: { frequencyType?: string }): string | undefined =>
  textIn(frequencyType)?.toLowerCase()

const intervalOf = ({ frequencyInterval }: PolicyItem): number => numberIn(frequencyInterval) ?? 1

/** Returns whether an item takes snapshots less often than another item of the same frequency. */
export function isLessFrequent(item: PolicyItem, than: PolicyItem): boolean {
  return distances.includes(frequencyOf(item) ?? '') && intervalOf(item) > intervalOf(than)
}

/**
 * Returns the times when an item takes snapshots, or undefined if its frequency or interval is unknown. The schema
 * allows unknown frequencies and intervals.
 */
export function recurrenceOf(item: PolicyItem, reference: Reference): Recurrence | undefined {
  const [name, interval] = [frequencyOf(item) ?? '', intervalOf(item)]
  const {
    referenceHourOfDay = scheduleDefaults.referenceHourOfDay,
    referenceMinuteOfHour = scheduleDefaults.referenceMinuteOfHour,
  } = reference
  const offset = timeAfter(referenceHourOfDay * hour, referenceMinuteOfHour * minute)
  const known = Object.hasOwn(recurrences, name) && interval >= 1
  return known ? recurrences[name]?.(interval, offset) : undefined
}

function every(step: number, offset: number): Recurrence {
  return {
    timeAt: (index) => offset + index * step,
    indexAt: (at) => Math.floor((at - offset) / step),
  }
}

/**
 * Returns the times of a monthly or yearly item. Months are counted from the year 0. If a month is too short for the
 * requested day, its last day is used.
 */
function everyMonths(step: number, first: number, wanted: number, offset: number): Recurrence {
  const timeAt = (index: number) => {
    const month = index * step + first
    return monthStart(month, dayOfMonth(month, wanted)) + offset
  }
  return {
    timeAt: timeAt,
    indexAt: (at) => {
      const date = new Date(at)
      const month = date.getUTCFullYear() * 12 + date.getUTCMonth()
      const index = Math.floor((month - first) / step)
      return timeAt(index) > at ? index - 1 : index
    },
  }
}

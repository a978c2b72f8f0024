import { timeAfter } from '../timestamp.ts'
import { numberIn, textIn } from '../typed-fields.ts'
import type { PolicyItem } from './backup-schemas.ts'
import { dayOfMonth, monthStart } from './retention.ts'
import { scheduleDefaults } from './schedule-defaults.ts'

/** The time of day, in UTC, that snapshots are taken at. */
export interface Reference {
  readonly referenceHourOfDay?: number
  readonly referenceMinuteOfHour?: number
}

/** The moments at which a policy item asks for a snapshot, numbered in their order. */
export interface Recurrence {
  timeAt(index: number): number
  /** The number of the latest moment that is not after another. */
  indexAt(at: number): number
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** The first Monday since the epoch, a Thursday. */
const monday = 4 * day

/** The frequencies from the most to the least frequent. What the interval means is different for each. */
const recurrences: Readonly<Record<string, (interval: number, offset: number) => Recurrence>> = {
  hourly: (interval, offset) => every(timeAfter(0, interval * hour), offset),
  daily: (interval, offset) => every(timeAfter(0, interval * day), offset),
  weekly: (interval, offset) => every(7 * day, timeAfter(monday + offset, ((interval - 1) % 7) * day)),
  monthly: (interval, offset) => everyMonths(1, 0, interval, offset),
  yearly: (interval, offset) => everyMonths(12, (interval - 1) % 12, 1, offset),
}

const order = Object.keys(recurrences)

/** Frequencies whose interval is a distance: a longer one takes fewer snapshots. */
const distances: readonly string[] = ['hourly', 'daily']

/** How infrequent the item is: 0 for the most frequent; undefined for a frequency that is not known here. */
export function infrequencyOf(item: PolicyItem): number | undefined {
  const found = order.indexOf(frequencyOf(item) ?? '')
  return found < 0 ? undefined : found
}

/** Whether two items have the same frequency, in whatever case it is written. */
export function sameFrequency(a: { frequencyType?: string }, b: { frequencyType?: string }): boolean {
  return frequencyOf(a) === frequencyOf(b)
}

const frequencyOf = ({ frequencyType }: { frequencyType?: string }): string | undefined =>
  textIn(frequencyType)?.toLowerCase()

const intervalOf = ({ frequencyInterval }: PolicyItem): number => numberIn(frequencyInterval) ?? 1

/** Whether one item of a frequency takes snapshots less often than another of the same. */
export function isLessFrequent(item: PolicyItem, than: PolicyItem): boolean {
  return distances.includes(frequencyOf(item) ?? '') && intervalOf(item) > intervalOf(than)
}

/** When an item asks for snapshots; undefined for a frequency or an interval that asks for none: both are open. */
export function recurrenceOf(item: PolicyItem, reference: Reference): Recurrence | undefined {
  const [name, interval] = [frequencyOf(item) ?? '', intervalOf(item)]
  const { referenceHourOfDay, referenceMinuteOfHour } = { ...scheduleDefaults, ...reference }
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

/** Months are counted from the year 0. A day that a month does not have is its last. */
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

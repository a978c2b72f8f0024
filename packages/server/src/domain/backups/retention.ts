import { limits } from '@svc-admin/types'
import { latestTime, timeAfter } from '../timestamp.ts'
import { numberIn, textIn } from '../typed-fields.ts'
import type { PolicyItem } from './backup-schemas.ts'

/**
 * A retention in a request. Because the schema allows other properties and values, the unit can be unknown and the
 * value can be missing.
 */
export type Retention = Pick<PolicyItem, 'retentionUnit' | 'retentionValue'>

const day = 86_400_000
const daysOfYear = 365
const monthsOfYear = 12

interface Unit {
  /** The number of days, used to compare retentions with different units. Twelve months count as one year. */
  readonly days: number
  /** The number of calendar months. This number is zero for units such as days and weeks. */
  readonly months: number
  readonly after: (at: number, value: number) => number
}

const units: Readonly<Record<string, Unit>> = {
  days: { days: 1, months: 0, after: (at, value) => timeAfter(at, value * day) },
  weeks: { days: 7, months: 0, after: (at, value) => timeAfter(at, value * 7 * day) },
  months: { days: daysOfYear / monthsOfYear, months: 1, after: (at, value) => addMonths(at, value) },
  years: {
    days: daysOfYear,
    months: monthsOfYear,
    after: (at, value) => addMonths(at, value * monthsOfYear),
  },
}

/** Units are lowercase in policies but uppercase in requests that change a retention. */
function unitOf({ retentionUnit }: Retention): Unit | undefined {
  const name = textIn(retentionUnit)?.toLowerCase() ?? ''
  return Object.hasOwn(units, name) ? units[name] : undefined
}

/** Returns a retention's value. Negative values count as 0. */
function amountOf({ retentionValue }: Retention): number | undefined {
  const value = numberIn(retentionValue)
  return value === undefined ? undefined : Math.max(0, value)
}

/**
 * Returns a retention's approximate length in days, for comparisons. If the value or unit is missing or unknown,
 * returns undefined.
 */
export function retentionDaysOf(retention: Retention): number | undefined {
  const [unit, value] = [unitOf(retention), amountOf(retention)]
  return unit && value !== undefined ? unit.days * value : undefined
}

/** A length in either calendar months or days. The other number is 0. */
interface Length {
  readonly months: number
  readonly days: number
}

/**
 * Returns a retention's exact length, without converting months to days. If the value or unit is missing or unknown,
 * returns undefined.
 */
export function lengthOf(retention: Retention): Length | undefined {
  const [unit, value] = [unitOf(retention), amountOf(retention)]
  if (!unit || value === undefined) return undefined
  return unit.months === 0
    ? { months: 0, days: unit.days * value }
    : { months: Math.floor(unit.months * value), days: 0 }
}

const none: Length = { months: 0, days: 0 }

/** Returns whether the first retention is at least as long as the second one for every possible start day. */
export function retainsAsLongAs(retention: Retention, other: Retention): boolean {
  const [own, asked] = [lengthOf(retention) ?? none, lengthOf(other) ?? none]
  if (own.months > 0 && asked.months > 0) return own.months >= asked.months
  // No date can be later than `latestTime`, so all periods that end after `latestTime` have the same effect.
  return spanOf(own).shortest >= Math.min(spanOf(asked).longest, latestTime / day)
}

/**
 * Raises the first retention as little as possible to make it at least as long as the second one, both in calendar
 * months and in days.
 */
export function raisedTo(retention: Retention, other: Retention): Retention {
  const covers = (a: Retention, b: Retention) =>
    retainsAsLongAs(a, b) && (retentionDaysOf(a) ?? 0) >= (retentionDaysOf(b) ?? 0)
  if (covers(retention, other)) return retention
  if (covers(other, retention)) return other
  const spans = [retention, other].map((one) => spanOf(lengthOf(one) ?? none).longest)
  return { retentionUnit: 'days', retentionValue: Math.ceil(Math.max(...spans)) }
}

/** Returns the longest retention, or undefined if the list is empty. */
export function longestRetention<R extends Retention>(retentions: readonly R[]): R | undefined {
  return retentions.reduce<R | undefined>(
    (longest, one) =>
      longest && (retentionDaysOf(longest) ?? 0) >= (retentionDaysOf(one) ?? 0) ? longest : one,
    undefined,
  )
}

/**
 * Returns the expiry of a snapshot that was taken at the given time. If the retention has no value or unit, uses the
 * default for on-demand snapshots.
 */
export function expiryAfter(at: number, retention: Retention): number {
  const [unit, value] = [unitOf(retention), amountOf(retention)]
  const until =
    unit && value !== undefined ? unit.after(at, value) : at + limits.onDemandRetention.default * day
  return Math.min(until, latestTime)
}

/** Adds a number of days to a time. Negative numbers count as 0. */
export function extended(until: number, days: number): number {
  return Math.min(timeAfter(until, Math.max(0, days) * day), latestTime)
}

/** Returns the same day in a later month, or the last day of that month if it has no such day. */
function addMonths(at: number, months: number): number {
  const date = new Date(at)
  const month = date.getUTCFullYear() * monthsOfYear + date.getUTCMonth() + months
  const midnight = monthStart(month, dayOfMonth(month, date.getUTCDate()))
  return Number.isNaN(midnight) ? latestTime : midnight + (at % day)
}

/** The minimum and maximum length of a retention in days, which depends on the start day. */
interface Span {
  readonly shortest: number
  readonly longest: number
}

const spanOf = ({ months, days }: Length): Span =>
  months === 0 ? { shortest: days, longest: days } : spanOfMonths(months)

/** The calendar repeats every 400 years, because 400 years are a whole number of weeks. */
const monthsOfCycle = 400 * monthsOfYear
const daysOfCycle = 146_097

/** The first days of all months in two cycles, counted in days from the start of the first cycle. */
const firstDays = Array.from(
  { length: 2 * monthsOfCycle + 1 },
  (_, month) => (monthStart(2000 * monthsOfYear + month, 1) - monthStart(2000 * monthsOfYear, 1)) / day,
)

const spansOfMonths = new Map<number, Span>()

function spanOfMonths(months: number): Span {
  const rest = months % monthsOfCycle
  const span = spansOfMonths.get(rest) ?? spanWithinCycle(rest)
  spansOfMonths.set(rest, span)
  const cycles = ((months - rest) / monthsOfCycle) * daysOfCycle
  return { shortest: cycles + span.shortest, longest: cycles + span.longest }
}

/**
 * Returns the minimum and maximum length of a period of calendar months. The period is longest if it starts on the
 * first day of a month, and shortest if it starts on the last day of a month and ends in a shorter month.
 */
function spanWithinCycle(months: number): Span {
  const first = (month: number) => firstDays[month] ?? 0
  const daysOf = (month: number) => first(month + 1) - first(month)
  let [shortest, longest] = [Number.POSITIVE_INFINITY, 0]
  for (let month = 0; month < monthsOfCycle; month++) {
    const end = month + months
    const span = first(end) - first(month)
    longest = Math.max(longest, span)
    shortest = Math.min(shortest, span - Math.max(0, daysOf(month) - daysOf(end)))
  }
  return { shortest, longest }
}

/** Returns the given day of a month, or the last day if the month is shorter. Months are counted from the year 0. */
export function dayOfMonth(month: number, wanted: number): number {
  const last = new Date(monthStart(month + 1, 0)).getUTCDate()
  return Math.min(wanted, last)
}

/** Returns the time at the start of the given day in a month (midnight). */
export function monthStart(month: number, dayWanted: number): number {
  return Date.UTC(Math.floor(month / monthsOfYear), month % monthsOfYear, dayWanted)
}

import { limits } from '@svc-admin/types'
import { latestTime, timeAfter } from '../timestamp.ts'
import { numberIn, textIn } from '../typed-fields.ts'
import type { PolicyItem } from './backup-schemas.ts'

/** How long something is kept. Its members are open: a unit may be unknown, a value missing. */
export type Retention = Pick<PolicyItem, 'retentionUnit' | 'retentionValue'>

const day = 86_400_000
const daysOfYear = 365
const monthsOfYear = 12

interface Unit {
  /** To compare retentions: twelve months are a year, and neither depends on when it begins. */
  readonly days: number
  /** 0 for one that is no number of calendar months. */
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

/** Policies write their units in lower case, the retention request in upper case. */
function unitOf({ retentionUnit }: Retention): Unit | undefined {
  const name = textIn(retentionUnit)?.toLowerCase() ?? ''
  return Object.hasOwn(units, name) ? units[name] : undefined
}

/** What is below 0 keeps no longer than 0. */
function amountOf({ retentionValue }: Retention): number | undefined {
  const value = numberIn(retentionValue)
  return value === undefined ? undefined : Math.max(0, value)
}

/** How long that is, for comparison; undefined if it does not say. */
export function retentionDaysOf(retention: Retention): number | undefined {
  const [unit, value] = [unitOf(retention), amountOf(retention)]
  return unit && value !== undefined ? unit.days * value : undefined
}

/** So many calendar months, or so many days: one of both is 0. */
interface Length {
  readonly months: number
  readonly days: number
}

/** How long that is, not rounded to days where it depends on when it begins; undefined if it does not say. */
export function lengthOf(retention: Retention): Length | undefined {
  const [unit, value] = [unitOf(retention), amountOf(retention)]
  if (!unit || value === undefined) return undefined
  return unit.months === 0
    ? { months: 0, days: unit.days * value }
    : { months: Math.floor(unit.months * value), days: 0 }
}

const none: Length = { months: 0, days: 0 }

/** Whether one keeps a thing at least as long as another does, on whatever day the thing was made. */
export function retainsAsLongAs(retention: Retention, other: Retention): boolean {
  const [own, asked] = [lengthOf(retention) ?? none, lengthOf(other) ?? none]
  if (own.months > 0 && asked.months > 0) return own.months >= asked.months
  // Beyond the last day that can be written nothing is kept, so that no span is longer.
  return spanOf(own).shortest >= Math.min(spanOf(asked).longest, latestTime / day)
}

/** The first, raised as much as it takes to keep as long as the second, by the calendar and as days are compared. */
export function raisedTo(retention: Retention, other: Retention): Retention {
  const covers = (a: Retention, b: Retention) =>
    retainsAsLongAs(a, b) && (retentionDaysOf(a) ?? 0) >= (retentionDaysOf(b) ?? 0)
  if (covers(retention, other)) return retention
  if (covers(other, retention)) return other
  const spans = [retention, other].map((one) => spanOf(lengthOf(one) ?? none).longest)
  return { retentionUnit: 'days', retentionValue: Math.ceil(Math.max(...spans)) }
}

/** Which of them keeps longest; undefined of none. */
export function longestRetention<R extends Retention>(retentions: readonly R[]): R | undefined {
  return retentions.reduce<R | undefined>(
    (longest, one) =>
      longest && (retentionDaysOf(longest) ?? 0) >= (retentionDaysOf(one) ?? 0) ? longest : one,
    undefined,
  )
}

/** When something of that moment expires. Where nothing is said, it is kept like an on-demand snapshot. */
export function expiryAfter(at: number, retention: Retention): number {
  const [unit, value] = [unitOf(retention), amountOf(retention)]
  const until =
    unit && value !== undefined ? unit.after(at, value) : at + limits.onDemandRetention.default * day
  return Math.min(until, latestTime)
}

/** The same plus days; fewer than none take nothing away. */
export function extended(until: number, days: number): number {
  return Math.min(timeAfter(until, Math.max(0, days) * day), latestTime)
}

/** The same day so many months on, or the last one of a shorter month. */
function addMonths(at: number, months: number): number {
  const date = new Date(at)
  const month = date.getUTCFullYear() * monthsOfYear + date.getUTCMonth() + months
  const midnight = monthStart(month, dayOfMonth(month, date.getUTCDate()))
  return Number.isNaN(midnight) ? latestTime : midnight + (at % day)
}

/** How many days something may last, by the day that it begins on. */
interface Span {
  readonly shortest: number
  readonly longest: number
}

const spanOf = ({ months, days }: Length): Span =>
  months === 0 ? { shortest: days, longest: days } : spanOfMonths(months)

/** The calendar repeats after 400 years, which are whole weeks. */
const monthsOfCycle = 400 * monthsOfYear
const daysOfCycle = 146_097

/** The first days of the months of two cycles, counted from that of the first. */
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

/** From the first of a month it lasts longest, and from the last one shortest, if the month it ends in is shorter. */
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

/** The day of a month that is counted from the year 0, or its last one. */
export function dayOfMonth(month: number, wanted: number): number {
  const last = new Date(monthStart(month + 1, 0)).getUTCDate()
  return Math.min(wanted, last)
}

/** Midnight of a day in a month that is counted from the year 0. */
export function monthStart(month: number, dayWanted: number): number {
  return Date.UTC(Math.floor(month / monthsOfYear), month % monthsOfYear, dayWanted)
}

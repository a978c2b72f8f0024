import { limits } from '@svc-admin/types'
import { numberIn, textIn } from '../open-members.ts'
import { lastMoment, momentAfter } from '../timestamp.ts'
import type { PolicyItem } from './backup-schemas.ts'

/** How long something is kept. Its members are open: a unit may be unknown, a value missing. */
export type Retention = Pick<PolicyItem, 'retentionUnit' | 'retentionValue'>

const day = 86_400_000
const daysOfYear = 365
const monthsOfYear = 12

interface Unit {
  /** To compare retentions: twelve months are a year, and neither depends on when it begins. */
  readonly days: number
  readonly after: (at: number, value: number) => number
}

const units: Readonly<Record<string, Unit>> = {
  days: { days: 1, after: (at, value) => momentAfter(at, value * day) },
  weeks: { days: 7, after: (at, value) => momentAfter(at, value * 7 * day) },
  months: { days: daysOfYear / monthsOfYear, after: (at, value) => addMonths(at, value) },
  years: { days: daysOfYear, after: (at, value) => addMonths(at, value * monthsOfYear) },
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
export function daysKept(retention: Retention): number | undefined {
  const [unit, value] = [unitOf(retention), amountOf(retention)]
  return unit && value !== undefined ? unit.days * value : undefined
}

/** Which of them keeps longest; undefined of none. */
export function longestKept<R extends Retention>(retentions: readonly R[]): R | undefined {
  return retentions.reduce<R | undefined>(
    (longest, one) => (longest && (daysKept(longest) ?? 0) >= (daysKept(one) ?? 0) ? longest : one),
    undefined,
  )
}

/** When something of that moment expires. Where nothing is said, it is kept like an on-demand snapshot. */
export function keptUntil(at: number, retention: Retention): number {
  const [unit, value] = [unitOf(retention), amountOf(retention)]
  const until =
    unit && value !== undefined ? unit.after(at, value) : at + limits.onDemandRetention.default * day
  return Math.min(until, lastMoment)
}

/** The same plus days; fewer than none take nothing away. */
export function prolonged(until: number, days: number): number {
  return Math.min(momentAfter(until, Math.max(0, days) * day), lastMoment)
}

/** The same day so many months on, or the last one of a shorter month. */
function addMonths(at: number, months: number): number {
  const date = new Date(at)
  const month = date.getUTCFullYear() * monthsOfYear + date.getUTCMonth() + months
  const midnight = monthStart(month, dayOfMonth(month, date.getUTCDate()))
  return Number.isNaN(midnight) ? lastMoment : midnight + (at % day)
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

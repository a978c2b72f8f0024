import { operations, versions } from '@svc-admin/types'
import { isArray, isObject, type Json } from '../document/json.ts'
import { listed, noSuch } from '../engine/nearest.ts'
import { requirements } from '../engine/requirement.ts'
import type { Result } from '../engine/result.ts'
import { Misconfiguration } from '../engine/signals.ts'
import { readJson } from '../target/file.ts'
import type { Reported } from './report.ts'

/** A violation that is known, for a reason, until a day. */
export interface Waiver {
  readonly requirement: string
  readonly operation: string
  readonly version?: string
  readonly reason: string
  /** Last day on which it holds, as `YYYY-MM-DD`. */
  readonly expires: string
}

const fields: readonly (keyof Waiver)[] = ['requirement', 'operation', 'version', 'reason', 'expires']

/** Whether a text is a day of the calendar. */
const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00Z`).toJSON()?.startsWith(text) === true

/** Names that a waiver gives: of anything else, nothing could ever be excused. */
const nameFault = ({ requirement, operation, version }: Waiver): string | undefined => {
  const tables: readonly [string, string | undefined, readonly string[]][] = [
    ['requirement', requirement, [...requirements().keys()]],
    ['operation', operation, Object.keys(operations)],
    ['version', version, versions.map(({ id }) => id)],
  ]
  for (const [what, name, known] of tables)
    if (name !== undefined && !known.includes(name))
      return noSuch(what, name, known, 'it is named as in a report')
  return undefined
}

const parseWaiver = (row: Json, index: number, file: string): Waiver => {
  const wrong = (why: string): never => {
    throw new Misconfiguration(`${file}: /${index} ${why}`)
  }
  if (!isObject(row)) return wrong('must be an object')
  for (const name of Object.keys(row))
    if (!fields.some((known) => known === name))
      return wrong(noSuch('member', name, fields, `there are ${listed(fields, 'and')}`))
  const text = (name: keyof Waiver): string => {
    const value = row[name]
    return typeof value === 'string' && value !== '' ? value : wrong(`must have ${name}, as a text`)
  }
  const [requirement, operation, reason, expires] = [
    text('requirement'),
    text('operation'),
    text('reason'),
    text('expires'),
  ]
  const version = row.version === undefined ? undefined : text('version')
  if (!isDay(expires)) return wrong(`must have a day such as 2027-01-31 in expires, and not ${expires}`)
  const waiver = { requirement, operation, reason, expires, ...(version !== undefined && { version }) }
  const fault = nameFault(waiver)
  return fault === undefined ? waiver : wrong(`is about nothing: ${fault}`)
}

/**
 * Reads waivers from a JSON file.
 *
 * @throws Misconfiguration when it is not a list of waivers, or one of them is about nothing that there is.
 */
export const readWaivers = (file: string): Waiver[] => {
  const rows = readJson(file)
  if (!isArray(rows)) throw new Misconfiguration(`${file} must be an array of waivers`)
  return rows.map((row, index) => parseWaiver(row, index, file))
}

/** Whether a waiver is about the place of a result at which something was tried. */
const isAbout = (waiver: Waiver, { requirement, operation, version, verdict }: Result): boolean =>
  verdict !== 'UNTESTABLE' &&
  waiver.requirement === requirement &&
  waiver.operation === operation &&
  (waiver.version === undefined || waiver.version === version)

const excuses = (waiver: Waiver, result: Result): boolean =>
  (result.verdict === 'FAIL' || result.verdict === 'WARN') && isAbout(waiver, result)

/** What a waiver is about, as problems with it tell. */
const nameOf = ({ requirement, operation, version }: Waiver): string =>
  `${requirement} of ${operation}${version === undefined ? '' : ` in ${version}`}`

/**
 * Excuses what is waived. A waiver that has expired excuses nothing, and one that nothing needs any more is a
 * problem of its own: it would hide the next violation.
 *
 * @param today as `YYYY-MM-DD`.
 * @param options.part says that other places are tried elsewhere: what is excused there is not known here.
 */
export const applyWaivers = (
  results: readonly Result[],
  waivers: readonly Waiver[],
  today: string,
  { part = false } = {},
): { results: Reported[]; problems: string[] } => {
  const problems = waivers.flatMap((waiver) => {
    const name = nameOf(waiver)
    if (waiver.expires < today) return [`the waiver of ${name} expired on ${waiver.expires}`]
    const unknown = part || !results.some((result) => isAbout(waiver, result))
    return unknown || results.some((result) => excuses(waiver, result))
      ? []
      : [`the waiver of ${name} is stale: nothing is broken there`]
  })
  const valid = waivers.filter(({ expires }) => expires >= today)
  const reported = results.map((result) => {
    const waiver = valid.find((one) => excuses(one, result))
    return waiver ? { ...result, waived: waiver.reason } : result
  })
  return { results: reported, problems }
}

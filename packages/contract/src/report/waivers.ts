import { operations, versions } from '@svc-admin/types'
import { isArray, isObject, type Json } from '../document/json.ts'
import { joinNames, unknownName } from '../model/nearest.ts'
import { requirements } from '../model/requirement.ts'
import type { Result } from '../model/result.ts'
import { Misconfiguration } from '../model/signals.ts'
import { readJson } from '../target/file.ts'
import type { Reported } from './report.ts'

/** A known violation, listed with a reason and an expiry date, that doesn't fail the run. */
export interface Waiver {
  readonly requirement: string
  readonly operation: string
  readonly version?: string
  readonly reason: string
  /** The last day on which the waiver applies, in the format YYYY-MM-DD. */
  readonly expires: string
}

const fields: readonly (keyof Waiver)[] = ['requirement', 'operation', 'version', 'reason', 'expires']

/** Returns whether a string is a valid calendar date. */
const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00Z`).toJSON()?.startsWith(text) === true

/** Returns the problem with a name in a waiver. A waiver with a misspelled name would never apply. */
const wrongName = ({ requirement, operation, version }: Waiver): string | undefined => {
  const tables: readonly [string, string | undefined, readonly string[]][] = [
    ['requirement', requirement, [...requirements().keys()]],
    ['operation', operation, Object.keys(operations)],
    ['version', version, versions.map(({ id }) => id)],
  ]
  for (const [what, name, known] of tables)
    if (name !== undefined && !known.includes(name))
      return unknownName(what, name, known, 'use the ID that the report shows')
  return undefined
}

const parseWaiver = (row: Json, index: number, file: string): Waiver => {
  const wrong = (why: string): never => {
    throw new Misconfiguration(`${file}: /${index} ${why}`)
  }
  if (!isObject(row)) return wrong('must be an object')
  for (const name of Object.keys(row))
    if (!fields.some((known) => known === name))
      return wrong(unknownName('field', name, fields, `the fields are ${joinNames(fields, 'and')}`))
  const text = (name: keyof Waiver): string => {
    const value = row[name]
    return typeof value === 'string' && value !== '' ? value : wrong(`must have the string field ${name}`)
  }
  const [requirement, operation, reason, expires] = [
    text('requirement'),
    text('operation'),
    text('reason'),
    text('expires'),
  ]
  const version = row.version === undefined ? undefined : text('version')
  if (!isDay(expires)) return wrong(`must have a date such as 2027-01-31 in expires, but has ${expires}`)
  const waiver = { requirement, operation, reason, expires, ...(version !== undefined && { version }) }
  const fault = wrongName(waiver)
  return fault === undefined ? waiver : wrong(`matches nothing: ${fault}`)
}

/**
 * Reads waivers from a JSON file.
 *
 * @throws Misconfiguration if the file isn't a list of waivers, or if a waiver contains an unknown name.
 */
export const readWaivers = (file: string): Waiver[] => {
  const rows = readJson(file)
  if (!isArray(rows)) throw new Misconfiguration(`${file} must be an array of waivers`)
  return rows.map((row, index) => parseWaiver(row, index, file))
}

/** Returns whether a waiver applies to the tested operation version. */
const isAbout = (waiver: Waiver, { requirement, operation, version, verdict }: Result): boolean =>
  verdict !== 'UNTESTABLE' &&
  waiver.requirement === requirement &&
  waiver.operation === operation &&
  (waiver.version === undefined || waiver.version === version)

const excuses = (waiver: Waiver, result: Result): boolean =>
  (result.verdict === 'FAIL' || result.verdict === 'WARN') && isAbout(waiver, result)

/** Returns a waiver's name for messages, which consists of its requirement, operation and version. */
const nameOf = ({ requirement, operation, version }: Waiver): string =>
  `${requirement} of ${operation}${version === undefined ? '' : ` in ${version}`}`

/**
 * Applies the waivers. Expired waivers have no effect. A waiver that is no longer needed is a problem,
 * because it would hide the next violation.
 *
 * @param today The current date, in the format YYYY-MM-DD.
 * @param options.part Whether the results are only a part of a run. Other parts of the run may need a waiver that is
 *   unused in these results.
 */
export const applyWaivers = (
  results: readonly Result[],
  waivers: readonly Waiver[],
  today: string,
  { part = false } = {},
): { results: Reported[]; problems: string[] } => {
  const problems = waivers.flatMap((waiver) => {
    const name = nameOf(waiver)
    if (waiver.expires < today) return [`the waiver for ${name} expired on ${waiver.expires}`]
    const unknown = part || !results.some((result) => isAbout(waiver, result))
    return unknown || results.some((result) => excuses(waiver, result))
      ? []
      : [`the waiver for ${name} is no longer needed: there is no violation`]
  })
  const valid = waivers.filter(({ expires }) => expires >= today)
  const reported = results.map((result) => {
    const waiver = valid.find((one) => excuses(one, result))
    return waiver ? { ...result, waived: waiver.reason } : result
  })
  return { results: reported, problems }
}

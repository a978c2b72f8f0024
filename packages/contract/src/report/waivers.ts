import { readFileSync } from 'node:fs'
import { isArray, isObject, parseJson, stringAt } from '../document/json.ts'
import type { Result } from '../engine/result.ts'
import { Misconfiguration } from '../engine/signals.ts'
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

const parseWaiver = (row: unknown, index: number): Waiver => {
  const text = (name: string): string | undefined => (isObject(row) ? stringAt(row, name) : undefined)
  const [requirement, operation, reason, expires, version] = [
    'requirement',
    'operation',
    'reason',
    'expires',
    'version',
  ].map(text)
  if (!requirement || !operation || !reason || !expires || !/^\d{4}-\d\d-\d\d$/.test(expires))
    throw new Misconfiguration(
      `waiver ${index + 1} needs requirement, operation, reason and expires (YYYY-MM-DD)`,
    )
  return { requirement, operation, reason, expires, ...(version && { version }) }
}

/**
 * Reads waivers from a JSON file.
 *
 * @throws Misconfiguration when it is not a list of waivers.
 */
export const readWaivers = (file: string): Waiver[] => {
  const rows = parseJson(readFileSync(file, 'utf8'))
  if (!isArray(rows)) throw new Misconfiguration(`${file} is not a JSON list of waivers`)
  return rows.map(parseWaiver)
}

const excuses = (waiver: Waiver, { requirement, operation, version, verdict }: Result): boolean =>
  (verdict === 'FAIL' || verdict === 'WARN') &&
  waiver.requirement === requirement &&
  waiver.operation === operation &&
  (waiver.version === undefined || waiver.version === version)

/**
 * Excuses what is waived. A waiver that has expired excuses nothing, and one that nothing needs any more is a
 * problem of its own: it would hide the next violation.
 *
 * @param today as `YYYY-MM-DD`.
 */
export const applyWaivers = (
  results: readonly Result[],
  waivers: readonly Waiver[],
  today: string,
): { results: Reported[]; problems: string[] } => {
  const problems = waivers.flatMap((waiver) => {
    const name = `${waiver.requirement} of ${waiver.operation}`
    if (waiver.expires < today) return [`the waiver of ${name} expired on ${waiver.expires}`]
    return results.some((result) => excuses(waiver, result))
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

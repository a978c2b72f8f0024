import type { Trial } from '../check/trial.ts'
import { contrast } from '../document/contrast.ts'
import { isObject, type Json, listAt, sameJson } from '../document/json.ts'
import type { Strength } from '../document/strength.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Query } from '../model/call.ts'
import { documentedOnly } from '../model/documented.ts'
import { bodyOf, expectSuccess } from '../model/expect.ts'
import { Untestable, Violation } from '../model/signals.ts'
import { arrangeAccessLogs, timeOf } from './access-logs.ts'

export const second = 1000

export interface History {
  readonly exchange: Exchange
  readonly entries: readonly Json[]
}

export const listed = (exchange: Exchange): History => {
  expectSuccess(exchange)
  return { exchange, entries: listAt(bodyOf(exchange), 'accessLogs') }
}

export const history = async (trial: Trial, query: Query = []): Promise<History> => {
  await arrangeAccessLogs(trial.context)
  return listed(await trial.try({ query }))
}

/** All fields of an entry are optional, so the check is untestable if an entry lacks a field that the check needs. */
export const needs = ({ entries }: History, count: number, field?: string): void => {
  const telling = field === undefined || entries.every((entry) => isObject(entry) && field in entry)
  const what = field === undefined ? 'entries' : `entries that all have ${field}`
  if (entries.length < count || !telling)
    throw new Untestable(`an access history that contains at least ${count} ${what}`)
}

/** The specification doesn't define a timestamp format, so the check is untestable if a timestamp can't be parsed. */
export const needsTimes = (all: History, count: number): void => {
  needs(all, count, 'timestamp')
  if (all.entries.some((entry) => Number.isNaN(timeOf(entry))))
    throw new Untestable('an access history whose timestamps are dates')
}

const sorted = (entries: readonly Json[]): string[] => entries.map((entry) => JSON.stringify(entry)).sort()

/** Expects the response to contain exactly the matching entries. The expected order is our own decision. */
export const expectMatches = (
  { entries: found, exchange }: History,
  wanted: readonly Json[],
  strength: Strength = 'stated',
): void => {
  const [entries, expected] = [found.map(documentedOnly), wanted.map(documentedOnly)]
  if (sameJson(entries, expected)) return
  const isReordered = sameJson(sorted(entries), sorted(expected))
  const difference = contrast(entries, expected, { longest: 0 })
  throw new Violation({
    expected: `${expected.length} entries ${difference.expected}`,
    actual: `${entries.length} entries, ${difference.actual}`,
    exchange,
    strength: isReordered ? 'decided' : strength,
  })
}

export const periodQuery = (first: number, last: number): Query => [
  ['start', String(first)],
  ['end', String(last)],
]

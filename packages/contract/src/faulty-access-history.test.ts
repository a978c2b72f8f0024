import { expect, test } from 'vitest'
import { dated, outcomeIn, seeding } from '../test/context-over.ts'
import periods from './cases/access-tracking/periods.ts'
import type { JsonObject } from './document/json.ts'
import { timeOf } from './resources/access-logs.ts'

const second = 1000
const wholeSeconds = (time: number): number => Math.floor(time / second) * second

interface Behavior {
  /** Returns the start of the period that the server uses. */
  readonly startOf?: (time: number) => number
  readonly endOf?: (time: number) => number
  /** Returns the timestamp that the server stores and shows. */
  readonly stored?: (time: number) => number
}

/** Creates a server whose access history can be filtered by time. */
const historyServer = (behavior: Behavior) => {
  const { startOf = (time) => time, endOf = (time) => time, stored = (time) => time } = behavior
  const entries: JsonObject[] = []
  return seeding(
    ({ path }) => {
      const { searchParams } = new URL(path, 'http://127.0.0.1')
      const start = startOf(Number(searchParams.get('start') ?? 0))
      const end = endOf(Number(searchParams.get('end') ?? Number.MAX_SAFE_INTEGER))
      const kept = entries.filter((entry) => timeOf(entry) >= start && timeOf(entry) <= end)
      return [200, { accessLogs: kept.sort((one, other) => timeOf(other) - timeOf(one)) }]
    },
    {
      addAccessLogs: (logs) => {
        for (const entry of logs.entries)
          entries.push({ ...entry, timestamp: new Date(stored(timeOf(entry))).toISOString() })
      },
    },
  ).context
}

const up = (time: number): number => Math.ceil(time / second) * second

test.each<[string, Behavior, string]>([
  ['cuts the end to whole seconds', { endOf: wholeSeconds }, 'Violation'],
  ['cuts the start to whole seconds', { startOf: wholeSeconds }, 'Violation'],
  ['rounds the end up', { endOf: up }, 'Violation'],
  ['rounds the start up', { startOf: up }, 'Violation'],
  ['stores times in whole seconds', { stored: wholeSeconds }, 'Untestable'],
  ['filters by milliseconds', {}, 'passed'],
])('a server that %s', async (_, behavior, expected) => {
  const cell = dated('listAccessLogsByHostname')
  const outcome = (label: string) =>
    outcomeIn(historyServer(behavior), cell, periods['accessHistory.period-kept'], label)
  expect(await outcome('within a second')).toBe(expected)
  if (expected !== 'Violation') expect(await outcome('to the millisecond')).toBe('passed')
})

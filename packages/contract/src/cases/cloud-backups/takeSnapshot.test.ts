import { expect, test } from 'vitest'
import { contextOver, dated, outcomeIn, target } from '../../../test/context-over.ts'
import { createPrerequisites } from '../../run-context/prerequisites.ts'
import { publicDemo } from '../../target/own-demo.ts'
import rules from './takeSnapshot.ts'

const prerequisites = {
  ...createPrerequisites(target),
  canSeed: true,
  seed: async () => {},
  advanceClock: async () => {},
}

/**
 * Runs the check on a server where the first snapshot has these statuses, one for each time that it is read. The server
 * returns `second` to requests for more snapshots. Returns the violation's strength, or the outcome if there is none.
 */
const outcomeFor = async (second: number, ...statuses: readonly string[]) => {
  let [taken, read] = [0, 0]
  const { context } = contextOver(
    ({ method }) => {
      if (method === 'GET') {
        read += 1
        return [200, { id: 'a', status: statuses[Math.min(read, statuses.length) - 1] }]
      }
      taken += 1
      return [taken === 1 ? 200 : second, { id: 'a' }]
    },
    { demo: publicDemo(), prerequisites },
  )
  return outcomeIn(context, dated('takeSnapshot'), rules['takeSnapshot.one-at-a-time'])
}

test('a second snapshot must be rejected while the first is queued or in progress', async () => {
  expect(await outcomeFor(409, 'queued', 'inProgress')).toBe('passed')
  expect(await outcomeFor(200, 'queued')).toBe('Violation')
  expect(await outcomeFor(200, 'completed', 'inProgress')).toBe('Violation')
})

test('a second snapshot may be accepted if the first has already ended', async () => {
  expect(await outcomeFor(200, 'completed')).toBe('Untestable')
  expect(await outcomeFor(200, 'queued', 'completed')).toBe('Untestable')
})

/** Runs a check on a server that returns this number of days until a snapshot expires, or rejects the request. */
const outcomeOn = async (label: string, daysFor: (retentionInDays: number) => number | undefined) => {
  const { context } = contextOver(
    ({ body }) => {
      const retention = daysFor(Number(/\d+/.exec(String(body))?.[0]))
      if (retention === undefined) return [400]
      const expiresAt = new Date(retention * 86_400_000).toISOString()
      return [200, { id: 'a', createdAt: '1970-01-01T00:00:00Z', expiresAt }]
    },
    { demo: publicDemo(), prerequisites },
  )
  return outcomeIn(context, dated('takeSnapshot'), rules['takeSnapshot.retention-from-1'], label)
}

test('a longer retention must be in effect, but a server may reject long periods', async () => {
  expect(await outcomeOn('in effect', (retention) => retention)).toBe('passed')
  expect(await outcomeOn('in effect', (retention) => Math.min(retention, 365))).toBe('Violation')
  expect(await outcomeOn('in effect', (retention) => (retention > 365 ? undefined : retention))).toBe(
    'passed',
  )
  expect(await outcomeOn('in effect', () => undefined)).toBe('stated')
})

test('a server may reject on-demand snapshots of sharded clusters', async () => {
  const label = 'in effect, sharded cluster'
  expect(await outcomeOn(label, () => undefined)).toBe('Untestable')
  expect(await outcomeOn(label, () => 7)).toBe('Violation')
})

test('a retention below the minimum must be rejected for all kinds of clusters', async () => {
  expect(await outcomeOn('rejected', () => undefined)).not.toBe('stated')
  expect(await outcomeOn('rejected, sharded cluster', () => undefined)).toBe('passed')
  expect(await outcomeOn('rejected', (retention) => retention)).toBe('stated')
  expect(await outcomeOn('rejected, sharded cluster', (retention) => retention)).toBe('Violation')
})

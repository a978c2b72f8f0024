import { expect, test } from 'vitest'
import { contextOver, dated, outcomeIn, target } from '../../../test/context-over.ts'
import { createPrerequisites } from '../../run-context/prerequisites.ts'
import { publicDemo } from '../../target/own-demo.ts'
import rules from './takeSnapshot.ts'

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
    {
      demo: publicDemo(),
      prerequisites: {
        ...createPrerequisites(target),
        canSeed: true,
        seed: async () => {},
        advanceClock: async () => {},
      },
    },
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

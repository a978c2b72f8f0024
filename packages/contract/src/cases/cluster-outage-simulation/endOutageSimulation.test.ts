import { expect, test } from 'vitest'
import { contextOver, dated, outcomeIn, type Response, target } from '../../../test/context-over.ts'
import { createPrerequisites } from '../../run-context/prerequisites.ts'
import { publicDemo } from '../../target/own-demo.ts'
import rules from './endOutageSimulation.ts'

/**
 * Runs one of the checks on a server that returns these responses, and then repeats the last one. Returns the
 * violation's strength, or the outcome if there is none, and the number of requests.
 */
const outcomeFor = async (label: string, ...responses: readonly Response[]) => {
  let ends = 0
  const { context } = contextOver(
    () => {
      ends += 1
      return responses[Math.min(ends, responses.length) - 1] ?? [500]
    },
    {
      demo: publicDemo(),
      prerequisites: {
        ...createPrerequisites(target),
        canSeed: true,
        seed: async () => {},
        advanceClock: async () => {},
        arrange: async () => ({}),
      },
    },
  )
  const rule = rules['endOutageSimulation.ends']
  const outcome = await outcomeIn(context, dated('endOutageSimulation'), rule, label)
  return [outcome, ends]
}

const outageFilters = [{ cloudProvider: 'AWS', regionName: 'EU_NORTH_1', type: 'REGION' }]
const requested: Response = [200, { state: 'RECOVERY_REQUESTED', outageFilters }]
const rejected: Response = [409, { errorCode: 'INVALID_STATE' }]

test('a simulation that can be ended again and again violates the specification', async () => {
  expect(await outcomeFor('permanently', requested)).toEqual(['Violation', 10])
})

test('a simulation that has ended, even slowly, can be rejected or shown', async () => {
  expect(await outcomeFor('permanently', requested, rejected)).toEqual(['passed', 2])
  expect(await outcomeFor('permanently', requested, [200, { state: 'COMPLETE' }])).toEqual(['passed', 2])
  expect(await outcomeFor('permanently', requested, requested, requested, rejected)).toEqual(['passed', 4])
})

test('a simulation may take longer to start than the reference server takes, but not forever', async () => {
  const label = 'after it has started'
  expect(await outcomeFor(label, requested)).toEqual(['passed', 1])
  expect(await outcomeFor(label, rejected, rejected, requested)).toEqual(['decided', 3])
  expect(await outcomeFor(label, rejected)).toEqual(['stated', 9])
})

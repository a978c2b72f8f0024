import { expect, test } from 'vitest'
import { contextOver, dated, type Response, target } from '../../../test/context-over.ts'
import { createTrial } from '../../check/trial.ts'
import { createRandom } from '../../model/random.ts'
import { createPrerequisites } from '../../run-context/prerequisites.ts'
import { publicDemo } from '../../target/own-demo.ts'
import rules from './endOutageSimulation.ts'

/**
 * Runs the check on a server that returns `second` when a simulation is ended twice. Returns the strength of
 * the violation, or the outcome if there is none.
 */
const outcomeFor = async (second: Response) => {
  let ends = 0
  const { context } = contextOver(
    () => {
      ends += 1
      return ends === 1 ? [200, { state: 'RECOVERY_REQUESTED' }] : second
    },
    {
      demo: publicDemo(),
      prerequisites: {
        ...createPrerequisites(target),
        ...{ canSeed: true, seed: async () => {}, advanceClock: async () => {} },
      },
    },
  )
  const cell = dated('endOutageSimulation')
  const trial = createTrial({ context, cell, random: createRandom(1, 'x'), inputs: 1, record: [] })
  const variants = [rules['endOutageSimulation.ends'] ?? []].flat().flatMap((rule) => rule.variants(cell))
  const check = variants.find(({ label }) => label === 'for good')?.check ?? expect.fail('no such check')
  return check(trial).then(
    () => 'passed',
    (error) => error.breach?.strength ?? error.name,
  )
}

test('a simulation that can be ended again and again violates the specification', async () => {
  expect(await outcomeFor([200, { state: 'RECOVERY_REQUESTED' }])).toBe('Violation')
})

test('a simulation that has ended can be rejected or shown', async () => {
  expect(await outcomeFor([409, { errorCode: 'INVALID_STATE' }])).toBe('passed')
  expect(await outcomeFor([200, { state: 'COMPLETE' }])).toBe('passed')
})

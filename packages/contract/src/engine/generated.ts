import type { Arbitrary, default as Generators } from 'fast-check'
import { inspect } from '../document/json.ts'
import { NoAnswer } from '../http/transport.ts'
import { always, type Rule, type RuleOptions } from './rule.ts'
import { type Breach, Violation } from './signals.ts'
import type { Trial } from './trial.ts'

export type { Arbitrary }

/** What makes inputs: the library fast-check, which is loaded when a run first has use for it. */
export type Generate = typeof Generators

/** So many smaller inputs are tried once one has shown a fault: on a slow target each of them takes its time. */
const mostSmaller = 60

/** Seeds of the library are whole numbers of 32 bits. */
const seeds = 2 ** 32

/** Long enough for an input that was not made smaller. */
const longest = 1000

const told = (breach: Breach, found: string): Violation =>
  new Violation({ ...breach, expected: `${breach.expected} (${found})` })

/** How often an input was made smaller, in words. */
const smaller = (times: number): string => {
  if (times === 0) return ''
  return `, then made smaller ${times === 1 ? 'once' : `${times} times`}`
}

/** No exchange shows what was sent, where there was no answer. */
const unanswered = ({ message }: NoAnswer, input: unknown): Violation =>
  told({ expected: 'an answer', actual: `${message} to ${inspect(input, longest)}` }, 'generated')

/**
 * Makes a check with generated inputs. One that breaks the promise is made smaller for as long as the smaller one
 * breaks it too, so that the report shows the least of them. What brings a target down is not repeated. Inputs depend on
 * the seed of the run and on the name of the check alone.
 *
 * @throws Violation of the smallest input; anything else that the check throws at once.
 */
export const forInputs = async <T>(
  { random, inputs }: Pick<Trial, 'random' | 'inputs'>,
  generate: Generate,
  arbitrary: Arbitrary<T>,
  check: (input: T) => Promise<void>,
): Promise<void> => {
  const end: { stopped?: { readonly error: unknown }; least?: Breach } = {}
  let triedSinceShown = 0
  const property = generate.asyncProperty(arbitrary, async (input) => {
    if (end.stopped || triedSinceShown > mostSmaller) return
    if (end.least) triedSinceShown += 1
    try {
      await check(input)
    } catch (error) {
      if (error instanceof Violation) {
        end.least = error.breach
        throw error
      }
      // A fault that was shown is told, whatever a smaller input meets on the way, short of nobody being there.
      if (end.least && !(error instanceof NoAnswer)) return
      const isDown = error instanceof NoAnswer && !error.isNobodyThere
      end.stopped = { error: isDown ? unanswered(error, input) : error }
    }
  })
  const { numShrinks } = await generate.check(property, { seed: random.integer(seeds) | 0, numRuns: inputs })
  if (end.stopped) throw end.stopped.error
  if (end.least) throw told(end.least, `generated${smaller(numShrinks)}`)
}

/** A rule that is tried in every cell with generated inputs. */
export const withGenerated = <T>(
  arbitrary: (generate: Generate, trial: Trial) => Promise<Arbitrary<T>> | Arbitrary<T>,
  check: (trial: Trial, input: T) => Promise<void>,
  options: RuleOptions = {},
): Rule => ({
  ...always(
    async (trial) => {
      const { default: generate } = await import('fast-check')
      const made = await arbitrary(generate, trial)
      await forInputs(trial, generate, made, (input) => check(trial, input))
    },
    { label: 'generated', ...options },
  ),
  generates: true,
})

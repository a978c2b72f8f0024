import type { Arbitrary, default as Generators } from 'fast-check'
import { inspect } from '../document/json.ts'
import { NoAnswer } from '../http/transport.ts'
import { always, type Rule, type RuleOptions } from './rule.ts'
import { Violation } from './signals.ts'
import type { Trial } from './trial.ts'

export type { Arbitrary }

/** What makes inputs: the library fast-check, which is loaded when a run first has use for it. */
export type Generate = typeof Generators

/** So many smaller inputs are tried once one has shown a fault: on a slow target each of them takes its time. */
const mostSmaller = 60

/** Seeds of the library are whole numbers of 32 bits. */
const seeds = 2 ** 32

/** Whether an error tells of the input, as against of the way to the target or of the kit. */
const isOfInput = (error: unknown): boolean =>
  error instanceof Violation || (error instanceof NoAnswer && !error.isNobodyThere)

/** A fault, told with how its input was found. */
const told = (error: unknown, input: unknown, smaller: number): unknown => {
  const found = `generated, then made smaller ${smaller} times`
  if (error instanceof Violation) {
    const { breach } = error
    return new Violation({ ...breach, expected: `${breach.expected} (${found})` })
  }
  // There is no exchange that could show what was sent.
  if (error instanceof NoAnswer)
    return new Violation({
      expected: `an answer (${found})`,
      actual: `${error.message} to ${inspect(input)}`,
    })
  return error
}

/**
 * Makes a check with generated inputs. One that breaks the promise is made smaller for as long as the smaller one
 * breaks it too, so that the report shows the least of them. Inputs depend on the seed of the run and on the name of
 * the check alone.
 *
 * @throws Violation of the smallest input; anything else that the check throws at once.
 */
export const forInputs = async <T>(
  { random, inputs }: Pick<Trial, 'random' | 'inputs'>,
  generate: Generate,
  arbitrary: Arbitrary<T>,
  check: (input: T) => Promise<void>,
): Promise<void> => {
  let stopped: { readonly error: unknown } | undefined
  let triedSinceShown = 0
  const property = generate.asyncProperty(arbitrary, async (input) => {
    if (stopped || triedSinceShown > mostSmaller) return
    if (triedSinceShown > 0) triedSinceShown += 1
    try {
      await check(input)
    } catch (error) {
      if (isOfInput(error)) {
        triedSinceShown ||= 1
        throw error
      }
      stopped = { error }
    }
  })
  const made = await generate.check(property, { seed: random.integer(seeds) | 0, numRuns: inputs })
  if (stopped) throw stopped.error
  if (made.failed) throw told(made.errorInstance, made.counterexample?.[0], made.numShrinks)
}

/** A rule that is tried in every cell with generated inputs. */
export const withGenerated = <T>(
  arbitrary: (generate: Generate, trial: Trial) => Promise<Arbitrary<T>> | Arbitrary<T>,
  check: (trial: Trial, input: T) => Promise<void>,
  options: RuleOptions = {},
): Rule =>
  always(
    async (trial) => {
      const { default: generate } = await import('fast-check')
      const made = await arbitrary(generate, trial)
      await forInputs(trial, generate, made, (input) => check(trial, input))
    },
    { label: 'generated', ...options },
  )

import type { Arbitrary, default as Generators } from 'fast-check'
import { inspect } from '../document/json.ts'
import { NoResponse } from '../http/transport.ts'
import { always, type Rule, type RuleOptions } from './rule.ts'
import { type Breach, Lenience, Violation } from './signals.ts'
import type { Trial } from './trial.ts'
import { isWeaker, type Strength } from './verdict.ts'

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
const unanswered = ({ message }: NoResponse, input: unknown): Violation =>
  told({ expected: 'an answer', actual: `${message} to ${inspect(input, longest)}` }, 'generated')

/** What a search for inputs that break a promise has come upon. */
interface Search {
  /** What ends it at once: the target is down, or the check cannot be made. */
  stopped?: { readonly error: unknown }
  /** The gravest breach so far, by the smallest input. */
  gravest?: { readonly breach: Breach; readonly run: number }
  lenience?: Lenience
  /** How often the check was made. */
  runs: number
}

/**
 * The check, as the library calls it: it throws what counts as a breach, at least as grave as `sought`. Anything else is
 * noted, and the search goes on: behind the first weak fact that a target does not keep there may be a crash.
 */
const asProperty = <T>(check: (input: T) => Promise<void>, search: Search, sought: Strength | undefined) => {
  let triedSinceShown = 0
  let isShown = false
  return async (input: T): Promise<void> => {
    if (search.stopped || triedSinceShown > mostSmaller) return
    if (isShown) triedSinceShown += 1
    const run = search.runs
    search.runs += 1
    try {
      await check(input)
    } catch (error) {
      if (error instanceof Violation) {
        const { breach } = error
        const isSought = !isWeaker(breach.strength, sought)
        if (isSought || !search.gravest || isWeaker(search.gravest.breach.strength, breach.strength)) {
          search.gravest = { breach, run }
        }
        if (!isSought) return
        isShown = true
        throw error
      }
      if (error instanceof Lenience) {
        search.lenience ??= error
        return
      }
      // A fault that was shown is told, whatever another input meets on the way, short of nobody being there.
      if (search.gravest && !(error instanceof NoResponse)) return
      const isDown = error instanceof NoResponse && !error.isNobodyThere
      search.stopped = { error: isDown ? unanswered(error, input) : error }
    }
  }
}

/**
 * Makes a check with generated inputs. One that breaks the promise is made smaller for as long as the smaller one
 * breaks it as gravely, so that the report shows the least of them; a breach of a weaker fact is told only if no input
 * breaks the promise itself. What brings a target down is not repeated. Inputs depend on the seed of the run and on the
 * name of the check alone.
 *
 * @throws Violation of the smallest input; anything else that the check throws at once.
 */
export const forInputs = async <T>(
  { random, inputs }: Pick<Trial, 'random' | 'inputs'>,
  generate: Generate,
  arbitrary: Arbitrary<T>,
  check: (input: T) => Promise<void>,
): Promise<void> => {
  const search: Search = { runs: 0 }
  const seed = random.integer(seeds) | 0
  const seek = (sought: Strength | undefined, where: { path?: string; numRuns: number }) =>
    generate.check(generate.asyncProperty(arbitrary, asProperty(check, search, sought)), { seed, ...where })
  let found = await seek(undefined, { numRuns: inputs })
  if (!found.failed && search.gravest) {
    // The library finds an input again by its number, and makes it smaller from there.
    const { breach, run } = search.gravest
    found = await seek(breach.strength, { path: `${run}`, numRuns: 1 })
  }
  if (search.stopped) throw search.stopped.error
  if (search.gravest) throw told(search.gravest.breach, `generated${smaller(found.numShrinks)}`)
  if (search.lenience) throw search.lenience
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

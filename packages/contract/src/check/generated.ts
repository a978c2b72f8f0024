import type { Arbitrary, Generate } from '../document/arbitrary.ts'
import { inspect } from '../document/json.ts'
import { isWeaker, type Strength } from '../document/strength.ts'
import { NoResponse } from '../http/transport.ts'
import { noResponse } from '../model/difference.ts'
import { type Breach, Lenience, Violation } from '../model/signals.ts'
import { always, type Rule, type RuleOptions } from './rule.ts'
import type { Trial } from './trial.ts'

/** Limits how many smaller inputs are tried after a violation, because each one takes time on a slow target. */
const maxShrinks = 60

/** Seeds of fast-check are 32-bit integers. */
const seeds = 2 ** 32

/** Long enough for an input that was not shrunk. */
const longest = 1000

const describeGenerated = (breach: Breach, found: string): Violation =>
  new Violation({ ...breach, expected: `${breach.expected} (${found})` })

/** How often an input was shrunk, in words. */
const smaller = (times: number): string => {
  if (times === 0) return ''
  return `, shrunk ${times === 1 ? 'once' : `${times} times`}`
}

/** Without a response there is no exchange to show, so the message includes the input. */
const unanswered = ({ message, code, exchange }: NoResponse, input: unknown): Violation =>
  describeGenerated(
    {
      ...{ expected: 'a response', actual: `${message} to ${inspect(input, longest)}` },
      difference: noResponse(code),
      ...(exchange && { exchange }),
    },
    'generated',
  )

/** State of a search for an input that violates a requirement. */
interface Search {
  /** An error that ends the search immediately: the target is down, or the check can't run. */
  stopped?: { readonly error: unknown }
  /** The strongest violation so far, with the smallest input. */
  strongest?: { readonly breach: Breach; readonly run: number }
  lenience?: Lenience
  /** Number of times that the check ran. */
  runs: number
}

/**
 * Wraps the check for fast-check. It throws for violations at least as strong as `sought`. Weaker ones are recorded
 * and the search goes on, because another input may reveal a stronger one or crash the target.
 */
const asProperty = <T>(check: (input: T) => Promise<void>, search: Search, sought: Strength | undefined) => {
  let triedSinceShown = 0
  let isShown = false
  return async (input: T): Promise<void> => {
    if (search.stopped || triedSinceShown > maxShrinks) return
    if (isShown) triedSinceShown += 1
    const run = search.runs
    search.runs += 1
    try {
      await check(input)
    } catch (error) {
      if (error instanceof Violation) {
        const { breach } = error
        const isSought = !isWeaker(breach.strength, sought)
        if (isSought || !search.strongest || isWeaker(search.strongest.breach.strength, breach.strength)) {
          search.strongest = { breach, run }
        }
        if (!isSought) return
        isShown = true
        throw error
      }
      if (error instanceof Lenience) {
        search.lenience ??= error
        return
      }
      // After a violation, ignore other errors of further inputs, unless the target is down.
      if (search.strongest && !(error instanceof NoResponse)) return
      const isDown = error instanceof NoResponse && !error.isUnreachable
      search.stopped = { error: isDown ? unanswered(error, input) : error }
    }
  }
}

/**
 * Runs a check with generated inputs. fast-check shrinks a failing input as long as the violation stays as strong, so
 * that the report shows a small one. A violation of a weaker fact is reported only if no input violates the
 * requirement itself. Inputs that bring a target down are not repeated. Inputs depend only on the seed of the run and
 * the name of the check.
 *
 * @throws Violation for the smallest input; other errors of the check immediately.
 */
export const checkInputs = async <T>(
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
  if (!found.failed && search.strongest) {
    // fast-check reproduces an input from its number and shrinks it from there.
    const { breach, run } = search.strongest
    found = await seek(breach.strength, { path: `${run}`, numRuns: 1 })
  }
  if (search.stopped) throw search.stopped.error
  if (search.strongest)
    throw describeGenerated(search.strongest.breach, `generated${smaller(found.numShrinks)}`)
  if (search.lenience) throw search.lenience
}

/** A rule that runs in every cell with generated inputs. */
export const withGenerated = <T>(
  arbitrary: (generate: Generate, trial: Trial) => Promise<Arbitrary<T>> | Arbitrary<T>,
  check: (trial: Trial, input: T) => Promise<void>,
  options: RuleOptions = {},
): Rule => ({
  ...always(
    async (trial) => {
      const { default: generate } = await import('fast-check')
      const made = await arbitrary(generate, trial)
      await checkInputs(trial, generate, made, (input) => check(trial, input))
    },
    { label: 'generated', ...options },
  ),
  generates: true,
})

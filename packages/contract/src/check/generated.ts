import type { Arbitrary, Generate } from '../document/arbitrary.ts'
import { inspect } from '../document/json.ts'
import { isWeaker, type Strength } from '../document/strength.ts'
import { NoResponse } from '../http/transport.ts'
import { noResponse } from '../model/difference.ts'
import { type Breach, Lenience, Violation } from '../model/signals.ts'
import { always, type Rule, type RuleOptions } from './rule.ts'
import type { Trial } from './trial.ts'

/** The maximum number of smaller inputs to try after finding a violation. On a slow target, each input takes time. */
const maxShrinks = 60

/** fast-check requires seeds to be 32-bit integers. */
const seeds = 2 ** 32

/** If there is no response, fast-check doesn't shrink the input, so the message must leave space for a long input. */
const longest = 1000

const describeGenerated = (breach: Breach, found: string): Violation =>
  new Violation({ ...breach, expected: `${breach.expected} (${found})` })

const smaller = (times: number): string => {
  if (times === 0) return ''
  return `, shrunk ${times === 1 ? 'once' : `${times} times`}`
}

/** Without a response, the report can't show an exchange, so the message contains the input instead. */
const unanswered = ({ message, code, exchange }: NoResponse, input: unknown): Violation =>
  describeGenerated(
    {
      expected: 'a response',
      actual: `${message} to ${inspect(input, longest)}`,
      difference: noResponse(code),
      ...(exchange && { exchange }),
    },
    'generated',
  )

/** The state of a search for an input that makes the target violate a requirement. */
interface Search {
  /** An error that ends the search immediately: the target is down or the check can't run. */
  stopped?: { readonly error: unknown }
  /** The strongest violation so far, with the smallest input. */
  strongest?: { readonly breach: Breach; readonly run: number }
  lenience?: Lenience
  /** The number of times that the check has run. */
  runs: number
}

/**
 * Wraps the check for fast-check. The property throws only if a violation is at least as strong as `sought`. After a
 * weaker violation, the search continues, because another input may cause a stronger violation or crash the target.
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
      // After the first violation, only a missing response can still stop the search.
      if (search.strongest && !(error instanceof NoResponse)) return
      const isDown = error instanceof NoResponse && !error.isUnreachable
      search.stopped = { error: isDown ? unanswered(error, input) : error }
    }
  }
}

/**
 * Runs a check with generated inputs. fast-check shrinks an input until the violation would become weaker, so the
 * report shows a small input. Violations of weaker facts are reported only if no input violates the requirement itself.
 * An input that makes the target unreachable isn't sent again. The inputs depend only on the run's seed and the check's
 * name.
 *
 * @throws The violation with the smallest input. Other errors from the check are thrown immediately.
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
    // fast-check can regenerate an input from its number and then shrink it.
    const { breach, run } = search.strongest
    found = await seek(breach.strength, { path: `${run}`, numRuns: 1 })
  }
  if (search.stopped) throw search.stopped.error
  if (search.strongest)
    throw describeGenerated(search.strongest.breach, `generated${smaller(found.numShrinks)}`)
  if (search.lenience) throw search.lenience
}

/** Creates a rule that tests every operation version with generated inputs. */
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

import type { Strength } from '../document/strength.ts'

/** All verdicts, from best to worst. If there are two verdicts, the worse verdict counts. */
export const verdicts = [
  'NOT APPLICABLE',
  'UNTESTABLE',
  'PASS',
  'LENIENT',
  'WARN',
  'FAIL',
  'KIT ERROR',
] as const

/**
 * The kit's verdict on one requirement for one operation version.
 *
 * - `PASS`: the target meets the requirement.
 * - `LENIENT`: the response is allowed, but not recommended.
 * - `WARN`: the target deviates from our decision.
 * - `FAIL`: the target violates the specification.
 * - `UNTESTABLE`: a prerequisite is missing. The report names the prerequisite, and the check doesn't count as passed.
 * - `NOT APPLICABLE`: the requirement doesn't apply to this operation version.
 * - `KIT ERROR`: the kit failed, so the check has no result for the target.
 */
export type Verdict = (typeof verdicts)[number]

/** Returns the verdict for a target that violates a fact of the given strength. */
export const verdictOnBreach = (strength: Strength, strict: boolean): Verdict => {
  if (strength === 'stated') return 'FAIL'
  if (strength === 'decided') return strict ? 'FAIL' : 'WARN'
  return 'LENIENT'
}

/** Returns the worse of two verdicts. */
export const prevailing = (one: Verdict, other: Verdict): Verdict =>
  verdicts.indexOf(one) >= verdicts.indexOf(other) ? one : other

import type { Strength } from '../document/strength.ts'

/** All verdicts, from mildest to worst. When there are two for one cell, the later one prevails. */
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
 * The kit's verdict on one requirement in one cell.
 *
 * - `PASS`: met. `LENIENT`: allowed, but not recommended. `WARN`: violates our decision. `FAIL`: violates the source.
 * - `UNTESTABLE`: a prerequisite is missing. The report names it, and the check doesn't count as passed.
 * - `NOT APPLICABLE`: the requirement doesn't apply here.
 * - `KIT ERROR`: the kit failed, so the target wasn't tested.
 */
export type Verdict = (typeof verdicts)[number]

/** The verdict on a violation of this strength. */
export const verdictOnBreach = (strength: Strength, strict: boolean): Verdict => {
  if (strength === 'stated') return 'FAIL'
  if (strength === 'decided') return strict ? 'FAIL' : 'WARN'
  return 'LENIENT'
}

/** The worse of two verdicts on the same cell. */
export const prevailing = (one: Verdict, other: Verdict): Verdict =>
  verdicts.indexOf(one) >= verdicts.indexOf(other) ? one : other

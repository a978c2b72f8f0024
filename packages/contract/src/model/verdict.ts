import type { Strength } from '../document/strength.ts'

/** All verdicts, best first. If a cell has two verdicts, the later one counts. */
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
 * - `PASS`: the target meets the requirement. `LENIENT`: allowed, but not recommended. `WARN`: violates our decision.
 *   `FAIL`: violates the specification.
 * - `UNTESTABLE`: a prerequisite is missing. The report says which one, and the check doesn't count as passed.
 * - `NOT APPLICABLE`: the requirement doesn't apply here.
 * - `KIT ERROR`: the kit failed, so the target wasn't tested.
 */
export type Verdict = (typeof verdicts)[number]

/** The verdict for violating a fact with this strength. */
export const verdictOnBreach = (strength: Strength, strict: boolean): Verdict => {
  if (strength === 'stated') return 'FAIL'
  if (strength === 'decided') return strict ? 'FAIL' : 'WARN'
  return 'LENIENT'
}

/** The worse of two verdicts for the same cell. */
export const prevailing = (one: Verdict, other: Verdict): Verdict =>
  verdicts.indexOf(one) >= verdicts.indexOf(other) ? one : other

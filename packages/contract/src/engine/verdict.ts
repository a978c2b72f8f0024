/** Strength of a fact: from the source, our decision, or unspecified. */
export type Strength = 'stated' | 'decided' | 'open'

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
 * - `KIT ERROR`: the kit failed, which says nothing about the target.
 */
export type Verdict = (typeof verdicts)[number]

/** The verdict on a violation of this strength. */
export const verdictOnBreach = (strength: Strength, strict: boolean): Verdict => {
  if (strength === 'stated') return 'FAIL'
  if (strength === 'decided') return strict ? 'FAIL' : 'WARN'
  return 'LENIENT'
}

const rankOfStrength: Record<Strength, number> = { open: 0, decided: 1, stated: 2 }

/** The weaker of two strengths: a requirement is only as strong as the fact that it rests on. */
export const weaker = (one: Strength, other: Strength): Strength =>
  rankOfStrength[one] <= rankOfStrength[other] ? one : other

/** Whether one breach is weaker than another. A breach without a strength has that of its requirement. */
export const isWeaker = (one: Strength = 'stated', other: Strength = 'stated'): boolean =>
  rankOfStrength[one] < rankOfStrength[other]

/** The weakest of the known strengths, if any. */
export const weakest = (...strengths: readonly (Strength | undefined)[]): Strength | undefined =>
  strengths.reduce((one, other) => (one && other ? weaker(one, other) : (one ?? other)), undefined)

/** The worse of two verdicts on the same cell. */
export const prevailing = (one: Verdict, other: Verdict): Verdict =>
  verdicts.indexOf(one) >= verdicts.indexOf(other) ? one : other

export const isStrength = (value: unknown): value is Strength =>
  value === 'stated' || value === 'decided' || value === 'open'

/** Strength of a fact: who has to keep it. */
export type Strength = 'stated' | 'decided' | 'open'

/** Every verdict, mildest first; the order decides which of two prevails in one cell. */
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
 * What the kit says about one requirement at one place.
 *
 * - `PASS`: kept. `LENIENT`: legal, not recommended. `WARN`: a decided rule is broken. `FAIL`: a stated one is.
 * - `UNTESTABLE`: a prerequisite is missing; it is named, counted, and never green.
 * - `NOT APPLICABLE`: the requirement says nothing here.
 * - `KIT ERROR`: the kit itself went wrong, which says nothing about the target.
 */
export type Verdict = (typeof verdicts)[number]

/** The verdict on a broken promise of this strength. */
export const verdictOnBreach = (strength: Strength, strict: boolean): Verdict => {
  if (strength === 'stated') return 'FAIL'
  if (strength === 'decided') return strict ? 'FAIL' : 'WARN'
  return 'LENIENT'
}

const rankOfStrength: Record<Strength, number> = { open: 0, decided: 1, stated: 2 }

/** The weaker of two strengths: a promise binds no more than the fact that it rests on. */
export const weaker = (one: Strength, other: Strength): Strength =>
  rankOfStrength[one] <= rankOfStrength[other] ? one : other

/** Whether a breach binds less than another; one without a strength of its own has that of its requirement. */
export const isWeaker = (one: Strength = 'stated', other: Strength = 'stated'): boolean =>
  rankOfStrength[one] < rankOfStrength[other]

/** The weakest of the strengths that are known, if any is. */
export const weakest = (...strengths: readonly (Strength | undefined)[]): Strength | undefined =>
  strengths.reduce((one, other) => (one && other ? weaker(one, other) : (one ?? other)), undefined)

/** The verdict that prevails when one cell was judged more than once. */
export const prevailing = (one: Verdict, other: Verdict): Verdict =>
  verdicts.indexOf(one) >= verdicts.indexOf(other) ? one : other

export const isStrength = (value: unknown): value is Strength =>
  value === 'stated' || value === 'decided' || value === 'open'

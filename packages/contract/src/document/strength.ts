/** The origin of a fact: it is from the specification (`stated`), our decision (`decided`) or unspecified (`open`). */
export type Strength = 'stated' | 'decided' | 'open'

export const isStrength = (value: unknown): value is Strength =>
  value === 'stated' || value === 'decided' || value === 'open'

const rankOfStrength: Record<Strength, number> = { open: 0, decided: 1, stated: 2 }

/** Returns the weaker of two strengths. A requirement can't be stronger than the fact on which it is based. */
export const weaker = (one: Strength, other: Strength): Strength =>
  rankOfStrength[one] <= rankOfStrength[other] ? one : other

/** Whether one breach is weaker than another. A breach without a strength counts as `stated`. */
export const isWeaker = (one: Strength = 'stated', other: Strength = 'stated'): boolean =>
  rankOfStrength[one] < rankOfStrength[other]

/** The weakest of the known strengths, if any. */
export const weakest = (...strengths: readonly (Strength | undefined)[]): Strength | undefined =>
  strengths.reduce((one, other) => (one && other ? weaker(one, other) : (one ?? other)), undefined)

/** The origin of a fact: the specification (`stated`) or our decision (`decided`). `open` means unspecified. */
export type Strength = 'stated' | 'decided' | 'open'

export const isStrength = (value: unknown): value is Strength =>
  value === 'stated' || value === 'decided' || value === 'open'

const rankOfStrength: Record<Strength, number> = { open: 0, decided: 1, stated: 2 }

/** Returns the weaker of two strengths. A requirement is never stronger than the fact that it is based on. */
export const weaker = (one: Strength, other: Strength): Strength =>
  rankOfStrength[one] <= rankOfStrength[other] ? one : other

/** Returns whether one breach is weaker than another. Without a strength, a breach counts as `stated`. */
export const isWeaker = (one: Strength = 'stated', other: Strength = 'stated'): boolean =>
  rankOfStrength[one] < rankOfStrength[other]

/** Returns the weakest strength, if at least one is known. */
export const weakest = (...strengths: readonly (Strength | undefined)[]): Strength | undefined =>
  strengths.reduce((one, other) => (one && other ? weaker(one, other) : (one ?? other)), undefined)

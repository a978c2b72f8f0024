/** Why a mutant may live: it is no break, or one that cannot be seen from outside. */
export interface Excuse {
  readonly mutants: RegExp
  readonly reason: string
}

export const excuses: readonly Excuse[] = []

export const excuseFor = (id: string): string | undefined =>
  excuses.find(({ mutants }) => mutants.test(id))?.reason

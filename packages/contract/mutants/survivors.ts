/** Why a mutant may live: it is no break, or one that cannot be seen from outside. */
export interface Excuse {
  readonly mutants: RegExp
  readonly reason: string
}

export const excuses: readonly Excuse[] = [
  {
    mutants: /^timestamps not in UTC@listMatcherFieldNames@/,
    reason: 'the answer is a list of names, which has no timestamps',
  },
]

export const excuseFor = (id: string): string | undefined =>
  excuses.find(({ mutants }) => mutants.test(id))?.reason

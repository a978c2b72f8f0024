import type { MutantOutcome } from './outcomes.ts'
import { excuseFor } from './survivors.ts'

/** The number of mutants that break a requirement, and how many of them the kit detected. */
export interface Detection {
  readonly mutants: number
  readonly found: number
}

/** The detection rates for a sample of mutants, as shown in the documentation. */
export interface DetectionReport {
  readonly format: 'svc-admin-contract-detection/1'
  readonly startedAt: string
  readonly seed: number
  readonly mutants: number
  readonly found: number
  /** The detection rate of each requirement. A mutant that breaks several requirements counts for each of them. */
  readonly requirements: Readonly<Record<string, Detection>>
  /** The IDs of the mutants that no check detected. */
  readonly missed: readonly string[]
}

/** The minimum share of mutants in a sample that the kit must detect. */
export const leastShare = 0.97

/** Calculates the detection rates. Mutants that can't change any response aren't counted. */
export const detectionOf = (
  outcomes: readonly MutantOutcome[],
  { seed, startedAt }: Pick<DetectionReport, 'seed' | 'startedAt'>,
): DetectionReport => {
  const tried = outcomes.filter((outcome) => excuseFor(outcome) === undefined)
  const requirements: Record<string, Detection> = {}
  for (const { hints, killed } of tried)
    for (const hint of hints) {
      const { mutants, found } = requirements[hint] ?? { mutants: 0, found: 0 }
      requirements[hint] = { mutants: mutants + 1, found: found + (killed ? 1 : 0) }
    }
  return {
    format: 'svc-admin-contract-detection/1',
    startedAt,
    seed,
    mutants: tried.length,
    found: tried.filter(({ killed }) => killed).length,
    requirements: Object.fromEntries(Object.entries(requirements).sort()),
    missed: tried.filter(({ killed }) => !killed).map(({ id }) => id),
  }
}

export const isEnough = ({ mutants, found }: Detection): boolean => found >= leastShare * mutants

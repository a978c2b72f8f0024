import type { MutantOutcome } from './outcomes.ts'
import { excuseFor } from './survivors.ts'

/** For a requirement, how many mutants there were and how many of them were found. */
export interface Detection {
  readonly mutants: number
  readonly found: number
}

/** The detection rates for a sample, by requirement. The documentation shows them. */
export interface DetectionReport {
  readonly format: 'svc-admin-contract-detection/1'
  readonly startedAt: string
  readonly seed: number
  readonly mutants: number
  readonly found: number
  /** A mutant that breaks several requirements counts for each of them. */
  readonly requirements: Readonly<Record<string, Detection>>
  /** The mutants that no check detected. */
  readonly missed: readonly string[]
}

/** The minimum share of a sample's mutants that must be found. */
export const leastShare = 0.97

/** The detection rates for these mutants, except those that can't change any response. */
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

/** Whether enough of a sample's mutants were found. */
export const isEnough = ({ mutants, found }: Detection): boolean => found >= leastShare * mutants

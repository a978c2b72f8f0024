import type { Secrets } from '../http/secrets.ts'
import { judges } from '../judges/index.ts'
import { type Opinion, see } from '../judges/judge.ts'
import type { Cell } from './api.ts'
import { type Selection, selectsCell, selectsRequirement } from './plan.ts'
import { outsideOf, requirementOf } from './requirement.ts'
import { resultId } from './result.ts'
import type { Recorded } from './trial.ts'
import { prevailing, type Strength, verdictOnBreach, weaker } from './verdict.ts'

/** A promise that an exchange broke, and in which case. */
export interface Sighting {
  readonly caseId: string
  readonly recorded: Recorded
  readonly expected: string
  readonly actual: string
  readonly strength: Strength
}

/** What a judge saw in one cell, over all exchanges. */
export interface Tally {
  readonly id: string
  readonly requirement: string
  readonly cell: Cell
  readonly seen: number
  readonly sighting: Sighting | undefined
}

/** A pair of operation and status that was seen. */
export interface Coverage {
  readonly operation: string
  readonly version: string
  readonly status: number
}

/** The judges of a run, who look at every exchange. */
export interface Bench {
  judge(caseId: string, recorded: readonly Recorded[]): void
  tallies(): Tally[]
  coverage(): Coverage[]
}

/** The gravest sighting stays; of equals, the one of the first case: parallelism must not choose it. */
const graver = (before: Sighting | undefined, made: Sighting, strict: boolean): Sighting => {
  if (before === undefined) return made
  const [old, now] = [verdictOnBreach(before.strength, strict), verdictOnBreach(made.strength, strict)]
  if (old === now) return before.caseId <= made.caseId ? before : made
  return prevailing(old, now) === now ? made : before
}

const byPlace = (one: Coverage, other: Coverage): number =>
  JSON.stringify(one) < JSON.stringify(other) ? -1 : 1

/** Seats the judges for a run. */
export const createBench = (secrets: Secrets, selection: Selection, strict: boolean): Bench => {
  const tallies = new Map<string, Tally>()
  const coverage = new Map<string, Coverage>()

  const note = (
    requirement: string,
    cell: Cell,
    opinion: Exclude<Opinion, 'nothing'>,
    caseId: string,
    recorded: Recorded,
  ) => {
    const id = resultId(requirement, cell.key, '')
    const before = tallies.get(id) ?? { id, requirement, cell, seen: 0, sighting: undefined }
    const row = requirementOf(requirement)
    let { sighting } = before
    if (opinion !== 'kept') {
      const { expected, actual } = opinion
      const strength = opinion.strength ? weaker(row.strength, opinion.strength) : row.strength
      sighting = graver(
        sighting,
        { caseId, recorded, expected, actual: secrets.maskText(actual), strength },
        strict,
      )
    }
    tallies.set(id, { ...before, seen: before.seen + 1, sighting })
  }

  return {
    judge(caseId, exchanges) {
      for (const recorded of exchanges) {
        const seen = see(recorded.call, recorded.exchange, secrets)
        const { cell } = seen
        if (!selectsCell(selection, cell)) continue
        const pair = { operation: cell.operation.id, version: cell.version.id, status: seen.toldStatus }
        if (!recorded.call.offRoute) coverage.set(JSON.stringify(pair), pair)
        for (const { requirement, judge } of judges) {
          if (!selectsRequirement(selection, requirement)) continue
          const opinion = outsideOf(requirementOf(requirement), cell) === undefined ? judge(seen) : 'nothing'
          if (opinion !== 'nothing') note(requirement, cell, opinion, caseId, recorded)
        }
      }
    },
    tallies: () => [...tallies.values()],
    coverage: () => [...coverage.values()].sort(byPlace),
  }
}

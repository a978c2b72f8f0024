import type { Secrets } from '../http/secrets.ts'
import { judges } from '../judges/index.ts'
import { type Judge, type Opinion, see } from '../judges/judge.ts'
import type { Cell } from './api.ts'
import { type Selection, selectsCell, selectsRequirement } from './plan.ts'
import { outsideOf, type RequirementId, requirementOf } from './requirement.ts'
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
  /** An exchange that kept the promise, if those are kept. */
  readonly kept: Recorded | undefined
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

/** What the judges of one requirement saw in a cell. */
interface Seat {
  readonly requirement: RequirementId
  readonly strength: Strength
  readonly judges: readonly Judge[]
  seen: number
  sighting: Sighting | undefined
  kept: Kept | undefined
}

/** An exchange that kept a promise, and in which case. */
interface Kept {
  readonly caseId: string
  readonly recorded: Recorded
}

const requirementsOfJudges = [...new Set(judges.map(({ requirement }) => requirement))]

/** The seats of a cell: of the requirements that are asked for and hold there. */
const seatsOf = (cell: Cell, selection: Selection): Seat[] =>
  requirementsOfJudges
    .filter((id) => selectsRequirement(selection, id) && outsideOf(requirementOf(id), cell) === undefined)
    .map((id) => ({
      requirement: id,
      strength: requirementOf(id).strength,
      judges: judges.filter(({ requirement }) => requirement === id),
      seen: 0,
      sighting: undefined,
      kept: undefined,
    }))

export interface BenchOptions {
  readonly secrets: Secrets
  readonly selection?: Selection | undefined
  readonly strict?: boolean | undefined
  /** Whether an exchange that kept a promise is kept itself. */
  readonly keepPasses?: boolean | undefined
}

/** Seats the judges for a run. */
export const createBench = (options: BenchOptions): Bench => {
  const { secrets, selection = {}, strict = false, keepPasses = false } = options
  const seats = new Map<Cell, readonly Seat[]>()
  const coverage = new Map<string, Coverage>()

  const seatsAt = (cell: Cell): readonly Seat[] => {
    const taken = seats.get(cell) ?? seatsOf(cell, selection)
    seats.set(cell, taken)
    return taken
  }

  const note = (seat: Seat, opinion: Exclude<Opinion, 'nothing'>, caseId: string, recorded: Recorded) => {
    seat.seen += 1
    if (opinion === 'kept') {
      // That of the first case: parallelism must not choose it.
      if (keepPasses && (seat.kept === undefined || caseId < seat.kept.caseId))
        seat.kept = { caseId, recorded }
      return
    }
    const { expected, actual } = opinion
    const strength = opinion.strength ? weaker(seat.strength, opinion.strength) : seat.strength
    const made = { caseId, recorded, expected, actual: secrets.maskText(actual), strength }
    seat.sighting = graver(seat.sighting, made, strict)
  }

  return {
    judge(caseId, exchanges) {
      for (const recorded of exchanges) {
        const seen = see(recorded.call, recorded.exchange, secrets)
        const { cell } = seen
        if (!selectsCell(selection, cell)) continue
        const pair = { operation: cell.operation.id, version: cell.version.id, status: seen.toldStatus }
        if (!recorded.call.offRoute) coverage.set(JSON.stringify(pair), pair)
        for (const seat of seatsAt(cell))
          for (const { judge } of seat.judges) {
            const opinion = judge(seen)
            if (opinion !== 'nothing') note(seat, opinion, caseId, recorded)
          }
      }
    },
    tallies: () =>
      [...seats].flatMap(([cell, taken]) =>
        taken
          .filter(({ seen }) => seen > 0)
          .map(({ requirement, seen, sighting, kept }) => {
            const id = resultId(requirement, cell.key, '')
            return { id, requirement, cell, seen, sighting, kept: kept?.recorded }
          }),
      ),
    coverage: () => [...coverage.values()].sort(byPlace),
  }
}

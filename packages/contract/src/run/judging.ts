import { type Strength, weaker } from '../document/strength.ts'
import type { Secrets } from '../http/secrets.ts'
import { judges } from '../judges/index.ts'
import { type Judge, judgedExchangeOf, type Opinion } from '../judges/judge.ts'
import type { Cell } from '../model/api.ts'
import type { Recorded } from '../model/call.ts'
import type { Difference } from '../model/difference.ts'
import { outsideOf, type RequirementId, requirementOf } from '../model/requirement.ts'
import { type Coverage, resultId } from '../model/result.ts'
import { type Selection, selectsCell, selectsRequirement } from '../model/selection.ts'
import { prevailing, verdictOnBreach } from '../model/verdict.ts'

/** An exchange that violated a requirement, with the case that sent it. */
export interface Observation {
  readonly caseId: string
  readonly recorded: Recorded
  readonly expected: string
  readonly actual: string
  readonly difference?: Difference
  readonly strength: Strength
}

/** The result for one requirement and operation version, based on all exchanges. */
export interface Tally {
  readonly id: string
  readonly requirement: string
  readonly cell: Cell
  /** The number of exchanges that were judged. */
  readonly judged: number
  readonly observation: Observation | undefined
  /** An exchange that met the requirement. This field is set only if `keepPasses` is true. */
  readonly passing: Recorded | undefined
}

/** Applies the judges to every exchange in a run. */
export interface Judging {
  judge(caseId: string, recorded: readonly Recorded[]): void
  tallies(): Tally[]
  coverage(): Coverage[]
}

/**
 * Returns the worse of two observations. If both are equally bad, returns the observation with the first case ID.
 * Otherwise, the result would depend on which parallel case finishes first.
 */
const worse = (before: Observation | undefined, next: Observation, strict: boolean): Observation => {
  if (before === undefined) return next
  const [old, now] = [verdictOnBreach(before.strength, strict), verdictOnBreach(next.strength, strict)]
  if (old === now) return before.caseId <= next.caseId ? before : next
  return prevailing(old, now) === now ? next : before
}

const compareCoverage = (one: Coverage, other: Coverage): number =>
  JSON.stringify(one) < JSON.stringify(other) ? -1 : 1

interface CellState {
  readonly requirement: RequirementId
  readonly strength: Strength
  readonly judges: readonly Judge[]
  judged: number
  observation: Observation | undefined
  passing: { readonly caseId: string; readonly recorded: Recorded } | undefined
}

const requirementsOfJudges = [...new Set(judges.map(({ requirement }) => requirement))]

const statesOf = (cell: Cell, selection: Selection): CellState[] =>
  requirementsOfJudges
    .filter((id) => selectsRequirement(selection, id) && outsideOf(requirementOf(id), cell) === undefined)
    .map((id) => ({
      requirement: id,
      strength: requirementOf(id).strength,
      judges: judges.filter(({ requirement }) => requirement === id),
      judged: 0,
      observation: undefined,
      passing: undefined,
    }))

export interface JudgingOptions {
  readonly secrets: Secrets
  readonly selection?: Selection | undefined
  readonly strict?: boolean | undefined
  /** Whether to keep one passing exchange for each requirement and operation version. */
  readonly keepPasses?: boolean | undefined
}

export const createJudging = (options: JudgingOptions): Judging => {
  const { secrets, selection = {}, strict = false, keepPasses = false } = options
  const states = new Map<Cell, readonly CellState[]>()
  const coverage = new Map<string, Coverage>()

  const statesAt = (cell: Cell): readonly CellState[] => {
    const known = states.get(cell) ?? statesOf(cell, selection)
    states.set(cell, known)
    return known
  }

  const note = (
    state: CellState,
    opinion: Exclude<Opinion, 'not applicable'>,
    caseId: string,
    recorded: Recorded,
  ): void => {
    state.judged += 1
    if (opinion === 'passed') {
      // Keep the first case ID, so that the result doesn't depend on which case finishes first.
      if (keepPasses && (state.passing === undefined || caseId < state.passing.caseId))
        state.passing = { caseId, recorded }
      return
    }
    const { expected, actual, difference } = opinion
    const strength = opinion.strength ? weaker(state.strength, opinion.strength) : state.strength
    const found = { expected, actual: secrets.maskText(actual), ...(difference && { difference }) }
    const next = { caseId, recorded, ...found, strength }
    state.observation = worse(state.observation, next, strict)
  }

  return {
    judge(caseId, exchanges) {
      for (const recorded of exchanges) {
        const judged = judgedExchangeOf(recorded.call, recorded.exchange, secrets)
        const { cell } = judged
        if (!selectsCell(selection, cell)) continue
        const entry = {
          operation: cell.operation.id,
          version: cell.version.id,
          status: judged.effectiveStatus,
        }
        if (!recorded.call.offRoute) coverage.set(JSON.stringify(entry), entry)
        for (const state of statesAt(cell))
          for (const { judge } of state.judges) {
            const opinion = judge(judged)
            if (opinion !== 'not applicable') note(state, opinion, caseId, recorded)
          }
      }
    },
    tallies: () =>
      [...states].flatMap(([cell, cellStates]) =>
        cellStates
          .filter(({ judged }) => judged > 0)
          .map(({ requirement, judged, observation, passing }) => {
            const id = resultId(requirement, cell.key, '')
            return { id, requirement, cell, judged, observation, passing: passing?.recorded }
          }),
      ),
    coverage: () => [...coverage.values()].sort(compareCoverage),
  }
}

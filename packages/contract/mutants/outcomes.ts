import type { Cell } from '../src/model/api.ts'
import { type Candidate, noticed } from './candidates.ts'
import type { MutantHarness } from './harness.ts'
import { excuseFor } from './survivors.ts'

/** The outcome of a run with one mutant. */
export interface MutantOutcome {
  readonly id: string
  readonly operator: string
  /** The requirements that the mutant breaks. */
  readonly hints: readonly string[]
  readonly killed: boolean
  /** The requirements whose checks detected the mutant. */
  readonly by: readonly string[]
  /** Whether a check for one of the broken requirements detected the mutant. */
  readonly expected: boolean
  /** Whether the mutant never changed a request or response. Such a mutant can't be detected. */
  readonly unreached: boolean
  readonly kitErrors: readonly string[]
}

const placeOf = ({ operation, version }: Cell) => ({ operations: [operation.id], versions: [version.id] })

const mutantOutcomeOf = async (
  harness: MutantHarness,
  candidate: Candidate,
  known: ReadonlySet<string>,
  nothing: boolean,
): Promise<MutantOutcome> => {
  const { id, operator, cell, hints, isWide } = candidate
  const place = placeOf(cell)
  const area = { areas: [cell.operation.area], versions: [cell.version.id] }
  let changed = 0
  const kitErrors: string[] = []
  for (const selection of [{ ...place, requirements: hints }, place, ...(isWide ? [area] : [])]) {
    const checked = await harness.check(selection, nothing ? undefined : candidate.breakage())
    changed += checked.changed
    kitErrors.push(
      ...checked.results
        .filter(({ verdict }) => verdict === 'KIT ERROR')
        .map((one) => `${one.id}: ${one.reason}`),
    )
    const by = checked.results
      .filter((result) => noticed(result) && !known.has(result.id))
      .map(({ requirement }) => requirement)
    if (by.length > 0)
      return {
        id,
        operator,
        hints,
        killed: true,
        by: [...new Set(by)],
        unreached: false,
        kitErrors,
        expected: by.some((requirement) => hints.some((hint) => requirement === hint)),
      }
  }
  return { id, operator, hints, killed: false, by: [], expected: false, unreached: changed === 0, kitErrors }
}

/** Explains why no check detected the mutant. */
export const whySurvived = (outcome: MutantOutcome): string =>
  excuseFor(outcome) ?? (outcome.unreached ? 'it never changed a response' : 'no check failed')

export const runCell = async (
  harness: MutantHarness,
  cell: Cell,
  candidates: readonly Candidate[],
  log: (text: string) => void,
  nothing = false,
): Promise<MutantOutcome[]> => {
  await harness.settle(cell)
  const clean = await harness.check(placeOf(cell))
  const known = new Set(clean.results.filter(noticed).map(({ id }) => id))
  const untestable = clean.results.filter(
    ({ verdict }) => verdict === 'UNTESTABLE' || verdict === 'KIT ERROR',
  )
  for (const { id, verdict, reason } of untestable) log(`clean server: ${verdict} ${id}: ${reason}`)
  for (const id of known) log(`clean server: broken already ${id}`)
  await harness.settle(cell)
  const outcomes: MutantOutcome[] = []
  for (const candidate of candidates) outcomes.push(await mutantOutcomeOf(harness, candidate, known, nothing))
  for (const outcome of outcomes.filter(({ killed }) => !killed))
    log(`survived: ${outcome.id}: ${whySurvived(outcome)}`)
  const killed = outcomes.filter((outcome) => outcome.killed).length
  log(`${cell.key}: ${killed} of ${outcomes.length} killed`)
  return outcomes
}

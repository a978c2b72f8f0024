import type { Cell } from '../src/engine/api.ts'
import type { Bench } from './bench.ts'
import { type Candidate, noticed } from './candidates.ts'
import { excuseFor } from './survivors.ts'

/** What came of one mutant. */
export interface Fate {
  readonly id: string
  readonly operator: string
  readonly killed: boolean
  /** Requirements that noticed. */
  readonly by: readonly string[]
  /** Whether those noticed that were expected to. */
  readonly expected: boolean
  /** It never changed anything, so there was nothing to notice. */
  readonly unreached: boolean
  readonly kitErrors: readonly string[]
}

const placeOf = ({ operation, version }: Cell) => ({ operations: [operation.id], versions: [version.id] })

const fateOf = async (
  bench: Bench,
  candidate: Candidate,
  known: ReadonlySet<string>,
  nothing: boolean,
): Promise<Fate> => {
  const { id, operator, cell, hints } = candidate
  const place = placeOf(cell)
  let changed = 0
  const kitErrors: string[] = []
  for (const selection of [{ ...place, requirements: hints }, place]) {
    const checked = await bench.check(selection, nothing ? undefined : candidate.breakage())
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
        ...{ id, operator, killed: true, by: [...new Set(by)], unreached: false, kitErrors },
        expected: by.some((requirement) => hints.some((hint) => requirement === hint)),
      }
  }
  return { id, operator, killed: false, by: [], expected: false, unreached: changed === 0, kitErrors }
}

/** Why a mutant lived. */
export const whySurvived = (fate: Fate): string =>
  excuseFor(fate) ?? (fate.unreached ? 'it never changed anything' : 'nobody noticed')

/** Tries the mutants of one cell, and tells of it. */
export const runCell = async (
  bench: Bench,
  cell: Cell,
  candidates: readonly Candidate[],
  tell: (text: string) => void,
  nothing = false,
): Promise<Fate[]> => {
  await bench.settle(cell)
  const clean = await bench.check(placeOf(cell))
  const known = new Set(clean.results.filter(noticed).map(({ id }) => id))
  const untestable = clean.results.filter(
    ({ verdict }) => verdict === 'UNTESTABLE' || verdict === 'KIT ERROR',
  )
  for (const { id, verdict, reason } of untestable) tell(`clean server: ${verdict} ${id}: ${reason}`)
  for (const id of known) tell(`clean server: broken already ${id}`)
  await bench.settle(cell)
  const fates: Fate[] = []
  for (const candidate of candidates) fates.push(await fateOf(bench, candidate, known, nothing))
  for (const fate of fates.filter(({ killed }) => !killed)) tell(`survived: ${fate.id}: ${whySurvived(fate)}`)
  const killed = fates.filter((fate) => fate.killed).length
  tell(`${cell.key}: ${killed} of ${fates.length} killed`)
  return fates
}

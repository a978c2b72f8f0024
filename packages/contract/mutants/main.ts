// Proves the kit: breaks one promise at one place at a time, and asks whether the kit notices.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Cell, loadApi } from '../src/engine/api.ts'
import { loadRules } from '../src/engine/modules.ts'
import { makePlan } from '../src/engine/plan.ts'
import { hashOf } from '../src/engine/random.ts'
import { requirements } from '../src/engine/requirement.ts'
import type { Result } from '../src/engine/result.ts'
import { judges } from '../src/judges/index.ts'
import { thousands } from '../src/report/text.ts'
import { type Bench, type Breakage, concernsOf, openBench } from './bench.ts'
import type { Mutant } from './mutant.ts'
import { operators } from './operators/index.ts'
import { outboxMutants } from './operators/notifications.ts'
import { startServer } from './server.ts'
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

interface Candidate {
  readonly id: string
  readonly operator: string
  readonly cell: Cell
  readonly hints: readonly string[]
  readonly breakage: () => Breakage
}

const { values } = parseArgs({
  options: {
    'base-url': { type: 'string' },
    control: { type: 'string' },
    operator: { type: 'string', multiple: true },
    operation: { type: 'string', multiple: true },
    version: { type: 'string', multiple: true },
    only: { type: 'string' },
    // Every so-manieth mutant, or so many of them; the seed says which.
    sample: { type: 'string' },
    limit: { type: 'string' },
    seed: { type: 'string', default: '1' },
    json: { type: 'string' },
    // Breaks nothing, so that whatever is killed was killed by the bench.
    nothing: { type: 'boolean' },
  },
})

const noticed = ({ verdict }: Result): boolean =>
  verdict === 'FAIL' || verdict === 'WARN' || verdict === 'LENIENT'

const candidatesOf = (bench: Bench, cells: readonly Cell[]): Candidate[] => {
  const made = operators.flatMap((operator) => operator.mutants(cells))
  const ofApi = made.map(
    (mutant: Mutant): Candidate => ({
      ...mutant,
      breakage: () => ({ api: mutant.make(bench.tools), concerns: concernsOf(mutant) }),
    }),
  )
  const ofOutbox = outboxMutants(cells).map(
    (mutant): Candidate => ({
      ...mutant,
      operator: 'notifications',
      breakage: () => ({ control: mutant.make(), concerns: () => false }),
    }),
  )
  return [...ofApi, ...ofOutbox]
}

/** Those of the sample: every n-th has some of every kind, and a limit is drawn over all of them. */
const sampled = (candidates: readonly Candidate[]): Candidate[] => {
  const [every, seed] = [Number(values.sample ?? 1), Number(values.seed)]
  const rank = ({ id }: Candidate): number => hashOf(`${seed}:${id}`)
  const named = candidates.filter(
    ({ id, operator, cell }) =>
      (!values.operator || values.operator.includes(operator)) &&
      (!values.operation || values.operation.includes(cell.operation.id)) &&
      (!values.version || values.version.includes(cell.version.id)) &&
      (!values.only || id.includes(values.only)),
  )
  const nth = named.filter((_, index) => (index + seed - 1) % every === 0)
  if (values.limit === undefined) return nth
  return [...nth].sort((one, other) => rank(one) - rank(other)).slice(0, Number(values.limit))
}

const placeOf = ({ operation, version }: Cell) => ({ operations: [operation.id], versions: [version.id] })

const fateOf = async (bench: Bench, candidate: Candidate, known: ReadonlySet<string>): Promise<Fate> => {
  const { id, operator, cell, hints } = candidate
  const place = placeOf(cell)
  let changed = 0
  const kitErrors: string[] = []
  for (const selection of [{ ...place, requirements: hints }, place]) {
    const checked = await bench.check(selection, values.nothing ? undefined : candidate.breakage())
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

const tell = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const runCell = async (bench: Bench, cell: Cell, candidates: readonly Candidate[]): Promise<Fate[]> => {
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
  for (const candidate of candidates) fates.push(await fateOf(bench, candidate, known))
  const killed = fates.filter((fate) => fate.killed).length
  tell(`${cell.key}: ${killed} of ${fates.length} killed`)
  return fates
}

const table = (fates: readonly Fate[]): string[] => {
  const names = [...new Set(fates.map(({ operator }) => operator))]
  return names.map((name) => {
    const own = fates.filter(({ operator }) => operator === name)
    return `  ${name.padEnd(34)} ${String(own.filter(({ killed }) => killed).length).padStart(5)} of ${own.length}`
  })
}

/** Stated promises that can be tried, and that no mutant breaks in a way that is noticed under their own name. */
const unproven = async (fates: readonly Fate[]): Promise<string[]> => {
  const proven = new Set(fates.flatMap(({ by }) => by))
  const { cases } = makePlan(loadApi(), await loadRules())
  const tried = new Set<string>([...cases, ...judges].map(({ requirement }) => requirement))
  return [...requirements().values()]
    .filter(({ id, strength }) => strength === 'stated' && tried.has(id) && !proven.has(id))
    .map(({ id }) => id)
}

const main = async (): Promise<number> => {
  const began = performance.now()
  const given =
    values['base-url'] && values.control
      ? { baseUrl: values['base-url'], control: values.control, stop: () => {} }
      : undefined
  const server = given ?? (await startServer())
  const bench = await openBench(server)
  const cells = loadApi().cells
  const everything = candidatesOf(bench, cells)
  const candidates = sampled(everything)
  tell(`${thousands(candidates.length)} mutants, ${operators.length + 1} operators, ${cells.length} places`)
  const fates: Fate[] = []
  for (const cell of cells) {
    const own = candidates.filter((candidate) => candidate.cell === cell)
    if (own.length > 0) fates.push(...(await runCell(bench, cell, own)))
  }
  await bench.close()
  server.stop()
  const survivors = fates.filter(({ killed }) => !killed)
  const unexcused = survivors.filter(({ id }) => excuseFor(id) === undefined)
  const kitErrors = fates.flatMap((fate) => fate.kitErrors.map((error) => `${fate.id}: ${error}`))
  for (const line of table(fates)) tell(line)
  for (const { id, unreached } of survivors)
    tell(`survived: ${id}: ${excuseFor(id) ?? (unreached ? 'it never changed anything' : 'nobody noticed')}`)
  for (const error of kitErrors) tell(`kit error: ${error}`)
  if (fates.length === everything.length)
    for (const id of await unproven(fates)) tell(`no mutant fails ${id}`)
  const elsewhere = fates.filter(({ killed, expected }) => killed && !expected)
  for (const { id, by } of elsewhere) tell(`noticed elsewhere: ${id}: ${by.join(', ')}`)
  tell(
    `${thousands(fates.length - survivors.length)} of ${thousands(fates.length)} killed, ${unexcused.length} survivors without a reason, ${kitErrors.length} kit errors, ${((performance.now() - began) / 1000).toFixed(0)} s`,
  )
  if (values.json) writeFileSync(values.json, `${JSON.stringify(fates, null, 1)}\n`)
  return unexcused.length === 0 && kitErrors.length === 0 ? 0 : 1
}

process.exitCode = await main()

/**
 * `npm run bench -w packages/contract` compares the kit with its peers on the reference server and its mutants. To test
 * more mutants, starting with one for each operator, add `-- --mutants 200`. To measure only one part (`whole`,
 * `mutants` or `variants`), add `-- --part mutants`. To measure only the kit, add `-- --no-peers`. `--cap` sets the
 * time limit per mutant in seconds (20 by default). The limit for a whole run is ten times as long. After three
 * timeouts, the benchmark skips the tool that caused them.
 */
import { writeFileSync } from 'node:fs'
import { type Version, versions } from '@svc-admin/types'
import { flagsOf } from '../../../scripts/flags.ts'
import { type Candidate, candidatesOf, drawn, noticed } from '../mutants/candidates.ts'
import { type Breakage, type MutantHarness, openHarness } from '../mutants/harness.ts'
import type { Interference } from '../mutants/proxy.ts'
import { resetSandbox, startServer } from '../mutants/server.ts'
import { variants } from '../mutants/variants.ts'
import { openKit } from '../src/kit.ts'
import { type Cell, loadApi } from '../src/model/api.ts'
import type { Result } from '../src/model/result.ts'
import type { Selection } from '../src/model/selection.ts'
import { demoTarget } from '../src/target/demo.ts'
import { dredd, type Findings, openToolbox, type Peer, respect } from './peers.ts'
import { type Watcher, watch } from './prism.ts'
import { measuresOf, type Row, table } from './table.ts'
import { createRetry, within } from './time-limit.ts'

const values = flagsOf('npm run bench -w packages/contract', {
  mutants: { type: 'string', default: '12', takes: '<n>', says: 'Test <n> mutants' },
  seed: { type: 'string', default: '1', takes: '<n>', says: 'Use this seed to select the mutants' },
  rounds: { type: 'string', default: '2', takes: '<n>', says: 'Run the whole kit <n> times' },
  part: {
    type: 'string',
    multiple: true,
    default: ['whole', 'mutants', 'variants'],
    takes: '<part>',
    says: 'Measure only this part',
  },
  'no-peers': { type: 'boolean', says: 'Measure only the kit' },
  cap: {
    type: 'string',
    default: '20',
    takes: '<n>',
    says: 'Stop each compared tool after <n> seconds per mutant',
  },
})

const capMs = Number(values.cap) * 1000
const capOfAll = capMs * 10

const newest = versions.at(-1)?.id ?? 'v1.0'
/**
 * These two documents contain v1.0 and the newest version of every v2 operation. Each peer can test only one document
 * at a time.
 */
const documents: readonly Version[] = ['v1.0', newest]

const documentOf = ({ version }: Cell): Version => (version.generation === 'v1.0' ? 'v1.0' : newest)

const api = loadApi()
const inDocument = (cell: Cell): boolean => api.cell(cell.operation.id, documentOf(cell)) === cell

let control = ''

/** A tool that tests a server and reports findings, such as Dredd, Prism or our kit. */
interface Contender {
  readonly name: string
  look(bench: MutantHarness, cell: Cell, how?: Breakage): Promise<Findings>
  /** Tests the given operations. If `operations` is omitted, tests all operations until the signal is aborted. */
  readAll(baseUrl: string, signal: AbortSignal, operations?: ReadonlySet<string>): Promise<Findings>
}

const asPeer = (peer: Peer): Contender => ({
  name: peer.name,
  look: (bench, cell, how) => {
    const operations = new Set(
      api.cells
        .filter(({ operation }) => operation.path === cell.operation.path)
        .map(({ operation }) => operation.id as string),
    )
    return bench.around(
      (baseUrl) => peer.try({ baseUrl, control, version: documentOf(cell), operations, capMs }),
      how,
    )
  },
  async readAll(baseUrl, _, operations) {
    const found: string[] = []
    for (const version of documents) {
      const seen = await peer.try({
        baseUrl,
        control,
        version,
        capMs: capOfAll,
        ...(operations && { operations }),
      })
      for (const one of seen) found.push(`${version} ${one}`)
    }
    return new Set(found)
  },
})

const foundBy = (results: readonly Result[]): Findings =>
  new Set(results.filter((one) => noticed(one) || one.verdict === 'KIT ERROR').map(({ id }) => id))

const placeOf = ({ operation, version }: Cell) => ({ operations: [operation.id], versions: [version.id] })

const kitRun = async (baseUrl: string, selection: Selection, signal: AbortSignal): Promise<Findings> => {
  const kit = await openKit({ target: demoTarget({ baseUrl, control }), selection, seed: 1, signal })
  const { results } = await kit.run()
  return foundBy(results)
}

const ours: Contender = {
  name: '@svc-admin/contract',
  look: async (bench, cell, how) => foundBy((await bench.check(placeOf(cell), how)).results),
  readAll: (baseUrl, signal, operations) =>
    kitRun(baseUrl, operations ? { operations: [...operations], brief: true } : {}, signal),
}

/**
 * Prism only checks traffic from another client, so the benchmark sends the requests of a short kit run through its
 * proxy. Generated inputs are disabled because Prism crashes when it writes unknown field names to a header.
 */
const watched = { brief: true, inputs: 0 } as const

const asWatcher = (watchers: ReadonlyMap<Version, Watcher>): Contender => {
  const through = async (version: Version, selection: Selection, signal: AbortSignal): Promise<Findings> => {
    const watcher = watchers.get(version)
    if (watcher === undefined) throw new TypeError(`no Prism for ${version}`)
    await kitRun(watcher.url, { ...selection, ...watched }, signal)
    return watcher.findings()
  }
  return {
    name: 'Prism proxy, our calls',
    async look(bench, cell, how) {
      const watcher = watchers.get(documentOf(cell))
      if (watcher === undefined) throw new TypeError(`no Prism for ${cell.key}`)
      await bench.check({ ...placeOf(cell), ...watched }, how, watcher.url)
      return watcher.findings()
    },
    async readAll(_, signal, operations) {
      const found: string[] = []
      for (const version of documents) {
        const ids = api.cells
          .filter(
            (cell) => documentOf(cell) === version && (!operations || operations.has(cell.operation.id)),
          )
          .map((cell) => cell.version.id)
        const chosen = { versions: [...new Set(ids)], ...(operations && { operations: [...operations] }) }
        for (const one of await through(version, chosen, signal)) found.push(`${version} ${one}`)
      }
      return new Set(found)
    },
  }
}

/**
 * Takes an even sample of mutants across operators. The sample includes only operation versions in the documents that
 * the peers test.
 */
const sampleOf = (bench: MutantHarness): Candidate[] => {
  const all = candidatesOf(bench, api.cells.filter(inDocument)).filter(
    ({ operator }) => operator !== 'notifications',
  )
  const turns = new Map<string, number>()
  const ranked = drawn(all, Number(values.seed)).map((candidate) => {
    const turn = turns.get(candidate.operator) ?? 0
    turns.set(candidate.operator, turn + 1)
    return { candidate, turn }
  })
  // Takes one mutant from each operator in turn, because some operators have far more mutants than others.
  const fair = ranked.sort((one, other) => one.turn - other.turn).map(({ candidate }) => candidate)
  return fair.slice(0, Number(values.mutants))
}

const tell = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

const missingFrom = (seen: Findings, known: ReadonlySet<string>): string[] =>
  [...seen].filter((one) => !known.has(one))

const retry = createRetry(tell)

/**
 * Returns a tool's findings for an operation version on the unmodified server. Each of these findings is a false alarm.
 */
const standingOf = async (bench: MutantHarness, contender: Contender, cell: Cell): Promise<Findings> => {
  await bench.settle(cell)
  return within(capMs, () => contender.look(bench, cell))
}

/**
 * Returns whether a tool reports a finding with a mutant that it doesn't report in either of two runs without the
 * mutant. Some findings are unstable, so a single comparison run isn't enough.
 */
const notices = async (
  bench: MutantHarness,
  contender: Contender,
  candidate: Candidate,
): Promise<boolean> => {
  const standing = await standingOf(bench, contender, candidate.cell)
  await bench.settle(candidate.cell)
  const seen = await within(capMs, () => contender.look(bench, candidate.cell, candidate.breakage()))
  const added = missingFrom(seen, standing)
  if (added.length === 0) return false
  const again = await standingOf(bench, contender, candidate.cell)
  const news = added.filter((one) => !again.has(one))
  if (news[0] !== undefined) tell(`  ${contender.name}: ${news[0].slice(0, 160)}`)
  return news.length > 0
}

const killsOf = async (
  bench: MutantHarness,
  contenders: readonly Contender[],
): Promise<Map<string, number>> => {
  const sample = values.part.includes('mutants') ? sampleOf(bench) : []
  const kills = new Map(contenders.map(({ name }) => [name, 0]))
  for (const [index, candidate] of sample.entries()) {
    const killers: string[] = []
    for (const contender of contenders)
      if (await retry.of(contender.name, false, () => notices(bench, contender, candidate)))
        killers.push(contender.name)
    for (const name of killers) kills.set(name, (kills.get(name) ?? 0) + 1)
    tell(`${index + 1} of ${sample.length}: ${candidate.id}: ${killers.join(', ') || 'not noticed'}`)
  }
  return kills
}

/** To save time, valid variants are tested only with GET operations in the alert areas. */
const calm = new Set<string>(
  api.cells
    .filter(({ operation }) => operation.method === 'GET' && /^Alert/.test(operation.area))
    .map(({ operation }) => operation.id),
)

const around = (
  bench: MutantHarness,
  contender: Contender,
  signal: AbortSignal,
  how?: Interference,
): Promise<Findings> =>
  bench.around((url) => contender.readAll(url, signal, calm), how && { api: how, concerns: () => true })

/** Counts a tool's false alarms: findings that appear only when the server's responses vary in valid ways. */
const alarmsOf = async (bench: MutantHarness, contender: Contender): Promise<number> => {
  if (!values.part.includes('variants')) return 0
  const nothing: Findings = new Set()
  const looked = async (how?: Interference): Promise<Findings> => {
    await resetSandbox(control)
    return retry.of(contender.name, nothing, () =>
      within(capOfAll, (signal) => around(bench, contender, signal, how)),
    )
  }
  const standing = new Set(await looked())
  let alarms = 0
  for (const variant of variants.filter(({ sending }) => sending === undefined)) {
    const added = missingFrom(await looked(variant.make()), standing)
    tell(`${contender.name}: ${variant.name}: ${added.length} more findings`)
    if (added[0] !== undefined) tell(`  for example ${added[0]}`)
    alarms += added.length
  }
  return alarms
}

/** Measures a tool's findings and running times on the unmodified reference server. */
const wholeOf = async (bench: MutantHarness, contender: Contender) => {
  if (!values.part.includes('whole')) return { seconds: [], standing: 0 }
  const seconds: number[] = []
  let findings: Findings = new Set()
  for (let round = 0; round < Number(values.rounds); round += 1) {
    await resetSandbox(control)
    const began = performance.now()
    tell(`${contender.name}: round ${round + 1} of ${values.rounds} on the whole reference server`)
    findings = await retry.of(contender.name, findings, () =>
      within(capOfAll, (signal) => bench.around((url) => contender.readAll(url, signal))),
    )
    seconds.push((performance.now() - began) / 1000)
  }
  tell(`${contender.name}: ${findings.size} findings on the reference server, ${seconds.join(' and ')} s`)
  return { seconds, standing: findings.size }
}

const main = async (): Promise<void> => {
  const server = await startServer()
  control = server.control
  const bench = await openHarness(server)
  const watchers = new Map<Version, Watcher>()
  try {
    const peers: Contender[] = []
    if (!values['no-peers']) {
      const toolbox = await openToolbox()
      await bench.around(async (url) => {
        for (const version of documents) watchers.set(version, await watch(toolbox, version, url))
      })
      peers.push(asPeer(dredd(toolbox)), asWatcher(watchers), asPeer(respect(toolbox)))
    }
    const contenders = [...peers, ours]
    const rows: Row[] = []
    for (const contender of contenders) {
      const { seconds, standing } = await wholeOf(bench, contender)
      rows.push({
        name: contender.name,
        ours: contender === ours,
        seconds,
        standing,
        alarms: 0,
        kills: 0,
        late: 0,
      })
    }
    const kills = await killsOf(bench, contenders)
    const total = values.part.includes('mutants') ? sampleOf(bench).length : 0
    const finished: Row[] = []
    for (const [index, row] of rows.entries()) {
      const contender = contenders[index]
      if (contender === undefined) continue
      const alarms = await alarmsOf(bench, contender)
      finished.push({ ...row, kills: kills.get(row.name) ?? 0, alarms, late: retry.late(row.name) })
    }
    process.stdout.write(table(finished, total, Number(values.cap)))
    if (process.env.BENCH_JSON)
      writeFileSync(process.env.BENCH_JSON, JSON.stringify(measuresOf(finished, total)))
  } finally {
    for (const watcher of watchers.values()) await watcher.close()
    await bench.close()
    server.stop()
  }
}

await main()
// Exit explicitly, because a tool that timed out may still be running.
process.exit()

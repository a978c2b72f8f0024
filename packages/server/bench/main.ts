/**
 * Compares the reference server with similar servers and with bare `node:http`. Each round measures every server in
 * turn. After a build, run `npm run bench -w packages/server`. To skip the installation of the other servers, add `--
 * --no-peers`. For a quick run, add `-- --seconds 1 --rounds 3`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { flagsOf } from '../../../scripts/flags.ts'
import { call, type Load, type Measured, measure, median, residentOf } from './load.ts'
import { groupId, type Scenario, type Secrets, scenarios, signIn } from './ours.ts'
import { startPeers } from './peers.ts'
import { type Started, startProcess } from './processes.ts'

const values = flagsOf('npm run bench -w packages/server', {
  'no-peers': { type: 'boolean', says: 'Measure only this server and bare node:http' },
  node: {
    type: 'string',
    takes: '<file>',
    says: 'Use this Node executable for this server and bare node:http',
  },
  seconds: { type: 'string', default: '2', takes: '<n>', says: 'Measure each scenario for <n> seconds' },
  rounds: { type: 'string', default: '5', takes: '<n>', says: 'Run <n> interleaved rounds' },
})
const milliseconds = Number(values.seconds) * 1000
const rounds = Number(values.rounds)
const node = values.node ?? process.execPath
const folder = mkdtempSync(join(tmpdir(), 'svc-admin-bench-'))
const here = fileURLToPath(new URL('.', import.meta.url))

const spreadOf = (numbers: readonly number[]): number =>
  (Math.max(...numbers) - Math.min(...numbers)) / median(numbers)

interface Contender {
  readonly name: string
  readonly load: Load
}

interface Row {
  readonly scenario: string
  readonly contender: string
  /** CPU time that bare `node:http` needs for a response, divided by the contender's CPU time for the same response. */
  readonly ratio: number
  /**
   * Requests per second that the contender handles, divided by the requests per second that bare `node:http` handles.
   * Unlike CPU time, throughput also depends on the disk and the load generator.
   */
  readonly ratioOfRates: number
  readonly cpu: number
  readonly rate: number
  readonly spread: number
}

async function startOurs(): Promise<Started> {
  const main = createRequire(import.meta.url).resolve('../dist/main.js')
  const flags = ['--sandbox', '--seed-demo', '--log-level', 'silent', '--control-port', '0']
  return startProcess(
    node,
    (port) => [main, '--port', String(port), '--database', join(folder, 'bench.db'), ...flags],
    '/readyz',
  )
}

/** Starts a bare server that replays the reference server's responses, including their headers. */
async function startBare(load: Load): Promise<Started> {
  const responses: Record<string, unknown> = {}
  for (let turn = 0; turn < (load.different ?? 1); turn += 1) {
    const { method, path, headers, body } = load.next()
    const response = await fetch(`${load.url}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    })
    const kept = [...response.headers].filter(
      ([name]) => !['connection', 'keep-alive', 'date'].includes(name),
    )
    responses[`${method} ${path}`] = {
      status: response.status,
      headers: Object.fromEntries(kept),
      body: await response.text(),
    }
  }
  process.env.BENCH_ANSWERS = JSON.stringify(responses)
  return startProcess(node, (port) => [join(here, 'bare.mjs'), String(port)], '/')
}

/**
 * Starts the server that measures the minimum cost of storing a resource durably. Call `startBare` first, because it
 * records the responses.
 */
const startKeeping = (): Promise<Started> =>
  startProcess(node, (port) => [join(here, 'keeping.mjs'), String(port), join(folder, 'keeping.db')], '/')

/** Warms up a server so that the benchmark doesn't include V8's compilation time. */
async function warmUp(load: Load): Promise<void> {
  const enough = 5000
  for (let turn = 0, requests = 0; turn < 20 && requests < enough; turn += 1) {
    requests += (await measure(load, milliseconds / 2)).requests
  }
}

async function measureScenario(
  scenario: Scenario,
  ours: Started,
  secrets: Secrets,
  peers: readonly Contender[],
) {
  const load = scenario.load(ours, secrets)
  const bare = await startBare(load)
  const keeping = scenario.keeps ? [await startKeeping()] : []
  const contenders = [
    { name: 'bare node:http', load: { ...load, url: bare.url, pid: bare.pid } },
    ...keeping.map(({ url, pid }) => ({ name: 'node:http with SQLite', load: { ...load, url, pid } })),
    { name: '@svc-admin/server', load },
    ...peers,
  ]
  const taken = new Map<string, Measured[]>(contenders.map(({ name }) => [name, []]))
  for (const { load: each } of contenders) await warmUp(each)
  for (let round = 0; round < rounds; round += 1)
    for (const { name, load: each } of contenders) taken.get(name)?.push(await measure(each, milliseconds))
  await Promise.all([bare, ...keeping].map((each) => each.stop()))
  const cpuOf = (name: string) => median((taken.get(name) ?? []).map(({ cpu }) => cpu))
  const rateOf = (name: string) => median((taken.get(name) ?? []).map(({ rate }) => rate))
  return contenders.map(
    ({ name }): Row => ({
      scenario: scenario.name,
      contender: name,
      ratio: cpuOf('bare node:http') / cpuOf(name),
      ratioOfRates: rateOf(name) / rateOf('bare node:http'),
      cpu: cpuOf(name),
      rate: rateOf(name),
      spread: spreadOf((taken.get(name) ?? []).map(({ cpu }) => cpu)),
    }),
  )
}

/** Converts a row to the format that all packages use for benchmark results. */
const asMeasure = ({ scenario, contender, ratio, spread }: Row) => ({
  measure: scenario,
  contender,
  value: ratio,
  unit: '× bare node:http',
  better: 'more',
  ours: contender === '@svc-admin/server',
  spread,
})

/** Creates a hundred configurations, enough to fill one page of the list. */
async function fill(ours: Started, secrets: Secrets): Promise<void> {
  const create = scenarios.at(-1)?.load(ours, secrets)
  if (create === undefined) throw new Error('No scenario creates resources')
  for (let count = 0; count < 100; count += 1) await call(create)
}

/** Formats a table row of at most 80 columns. */
const columns = ([first = '', ...rest]: readonly string[]): string =>
  first.padEnd(36) + rest.map((text) => text.padStart(11)).join('')

const lineOf = ({ contender, ratio, ratioOfRates, cpu, rate }: Row): string =>
  columns([`  ${contender}`, ratio.toFixed(2), ratioOfRates.toFixed(2), cpu.toFixed(0), rate.toFixed(0)])

const ours = await startOurs()
const idle = residentOf(ours.pid)
const peers = values['no-peers'] ? [] : await startPeers(groupId)
const rows: Row[] = []
try {
  const secrets = await signIn(ours)
  await fill(ours, secrets)
  for (const scenario of scenarios) {
    process.stderr.write(`${scenario.name} …\n`)
    const beside = peers.flatMap((peer) => peer.contender(scenario.name) ?? [])
    rows.push(...(await measureScenario(scenario, ours, secrets, beside)))
  }
  console.log(`\nMedians of ${rounds} rounds of ${values.seconds} s`)
  console.log("CPU:  CPU time of bare node:http per request, divided by each server's CPU time")
  console.log("rate: each server's requests per second, divided by the requests per second of bare node:http")
  for (const { name, wanted } of scenarios) {
    console.log(`\n${columns([name, 'CPU', 'rate', 'µs of CPU', 'requests/s'])}`)
    for (const row of rows.filter(({ scenario }) => scenario === name)) console.log(lineOf(row))
    if (wanted !== undefined) console.log(columns(['  our target', wanted.toFixed(2)]))
  }
  console.log(`\n${columns(['start and memory', 'ms to start', 'MB idle', 'MB after'])}`)
  const started = [{ name: '@svc-admin/server', started: ours, idle }, ...peers]
  for (const { name, started: each, idle: resting } of started) {
    const figures = [each.startup, resting, residentOf(each.pid)].map((figure) => figure.toFixed(0))
    console.log(columns([`  ${name}`, ...figures]))
  }
  if (process.env.BENCH_JSON) writeFileSync(process.env.BENCH_JSON, JSON.stringify(rows.map(asMeasure)))
} finally {
  await Promise.all([ours.stop(), ...peers.map(({ started }) => started.stop())])
  rmSync(folder, { recursive: true, force: true })
}

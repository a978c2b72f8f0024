// `npm run bench -w packages/server`, after a build: the reference server beside its peers and bare node:http, in
// interleaved rounds of one run. `-- --no-peers` installs nothing; `-- --seconds 1 --rounds 3` is quicker.
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
  'no-peers': { type: 'boolean', says: 'ours and bare node:http alone' },
  node: {
    type: 'string',
    takes: '<file>',
    says: 'a Node that runs ours and bare node:http in place of this one',
  },
  seconds: { type: 'string', default: '2', takes: '<n>', says: 'of each measurement' },
  rounds: { type: 'string', default: '5', takes: '<n>', says: 'in which all are measured by turns' },
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
  /** Processor time of bare node:http for the same answer, divided by that of the contender. */
  readonly ratio: number
  /** Requests a second, divided by those of bare node:http: what waits for a disk or for the load counts as well. */
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

/** A bare server that sends what ours sends, headers included. */
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

/** The least that keeping takes, in a file of its own; after the bare server, whose answers it gives. */
const startKeeping = (): Promise<Started> =>
  startProcess(node, (port) => [join(here, 'keeping.mjs'), String(port), join(folder, 'keeping.db')], '/')

/** Until it has been compiled: what a server costs while V8 is at work says nothing of the server. */
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
    ...keeping.map(({ url, pid }) => ({ name: 'node:http and SQLite alone', load: { ...load, url, pid } })),
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

/** A row in the form that the bench of all packages collects. */
const asMeasure = ({ scenario, contender, ratio, spread }: Row) => ({
  measure: scenario,
  contender,
  value: ratio,
  unit: '× bare node:http',
  better: 'more',
  ours: contender === '@svc-admin/server',
  spread,
})

/** A hundred configurations, so that a page of the list is full. */
async function fill(ours: Started, secrets: Secrets): Promise<void> {
  const create = scenarios.at(-1)?.load(ours, secrets)
  if (create === undefined) throw new Error('there is no scenario that creates')
  for (let count = 0; count < 100; count += 1) await call(create)
}

/** Within 80 columns. */
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
  console.log('CPU:  processor time of bare node:http for a request, divided by that of each')
  console.log('rate: requests a second of each, divided by those of bare node:http')
  for (const { name, wanted } of scenarios) {
    console.log(`\n${columns([name, 'CPU', 'rate', 'µs of CPU', 'requests/s'])}`)
    for (const row of rows.filter(({ scenario }) => scenario === name)) console.log(lineOf(row))
    if (wanted !== undefined) console.log(columns(['  wanted of ours', wanted.toFixed(2)]))
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

/**
 * Runs the benchmarks of all packages and of comparable projects, one after the other (`npm run bench`). Writes a
 * table, JSON and a chart. `npm run bench -- --record` also stores the results as the baseline for `npm run
 * bench:check`. To run only some packages' benchmarks, use `--only server,docs`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, release, tmpdir, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { flagsOf } from '../flags.ts'
import { chart } from './chart.ts'
import { type Machine, type Measure, notRecorded, type Results, worsened } from './measures.ts'
import { table } from './table.ts'

const root = join(import.meta.dirname, '../..')
const committed = join(root, 'scripts/bench/committed.json')
const output = join(root, '.svc-admin/bench')
const packages = ['client', 'server', 'contract', 'docs']

const values = flagsOf('npm run bench', {
  only: {
    type: 'string',
    multiple: true,
    default: packages,
    takes: '<packages>',
    says: 'Run only these packages, separated by commas',
  },
  record: {
    type: 'boolean',
    says: 'Store the results as the baseline for bench:check',
  },
  check: {
    type: 'boolean',
    says: 'Compare the results with the baseline, as bench:check does',
  },
})
const chosen = [...new Set(values.only.flatMap((names) => names.split(',')))]
for (const name of chosen)
  if (!packages.includes(name)) {
    console.error(`--only must be a comma-separated list of ${packages.join(', ')}, but contains "${name}".`)
    process.exit(2)
  }

const machine = (): Machine => ({
  node: process.version,
  processor: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  system: `${type()} ${release()}`,
})

function measuresOf(name: string, folder: string): readonly Measure[] {
  const file = join(folder, `${name}.json`)
  console.log(`\n── ${name} ${'─'.repeat(60 - name.length)}`)
  const { status } = spawnSync('npm', ['run', 'bench', '--silent', '-w', `packages/${name}`], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, BENCH_JSON: file },
  })
  if (status !== 0) throw new Error(`The ${name} benchmark failed`)
  return JSON.parse(readFileSync(file, 'utf8'))
}

const folder = mkdtempSync(join(tmpdir(), 'svc-admin-bench-'))
try {
  const results: Results = {
    machine: machine(),
    packages: Object.fromEntries(chosen.map((name) => [name, measuresOf(name, folder)])),
  }
  mkdirSync(output, { recursive: true })
  writeFileSync(join(output, 'results.json'), `${JSON.stringify(results, null, 2)}\n`)
  writeFileSync(join(output, 'chart.svg'), chart(results))
  console.log(`\n${JSON.stringify(results.machine)}`)
  console.log(table(results).join('\n'))
  console.log(`Wrote ${output}/results.json and chart.svg`)
  if (values.record) {
    // If a package wasn't measured, keep its previous baseline.
    const packages = { ...recorded().packages, ...results.packages }
    writeFileSync(committed, `${JSON.stringify({ ...results, packages }, null, 2)}\n`)
  }
  if (values.check) {
    const before = recorded()
    const worse = worsened({ ...before, packages: pick(before.packages, chosen) }, results)
    for (const line of worse) console.error(line)
    const unknown = notRecorded(before, results)
    for (const name of unknown) console.error(`${name}: no baseline to compare with`)
    console.log(
      worse.length === 0
        ? 'No result is worse than the baseline.'
        : `${worse.length} results are worse than the baseline.`,
    )
    const compared = unknown.length < chosen.length
    process.exitCode = worse.length === 0 && compared ? 0 : 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function recorded(): Results {
  if (!existsSync(committed)) return { machine: machine(), packages: {} }
  return JSON.parse(readFileSync(committed, 'utf8'))
}

function pick<T>(all: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))
}

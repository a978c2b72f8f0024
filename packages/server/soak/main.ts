import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { flagsOf } from '../../../scripts/flags.ts'
import { runGenerated } from '../test/generated/run.ts'
import { killDuringWrites, lostWrites } from '../test/kills.ts'
import { type PostgresCluster, startOwnPostgres } from '../test/postgres-cluster.ts'
import { runAttacks } from './attacks.ts'
import { runGrowth } from './growth.ts'
import { type MemoryFigures, runLoad, runYears } from './memory.ts'
import { runHistory } from './run-history.ts'

/**
 * Runs tests that take too long for the test suite (`npm run soak`). Prints the measurements, and fails if a limit is
 * exceeded.
 */
const values = flagsOf('npm run soak -w packages/server', {
  kills: { type: 'string', default: '50', takes: '<n>', says: 'Kill a server <n> times' },
  writes: { type: 'string', default: '200', takes: '<n>', says: 'Kill each server after at most <n> writes' },
  operations: {
    type: 'string',
    default: '100000',
    takes: '<n>',
    says: 'Run a random sequence of <n> operations',
  },
  requests: { type: 'string', default: '100000', takes: '<n>', says: 'Send <n> generated requests' },
  months: { type: 'string', default: '240', takes: '<n>', says: 'Advance the clock by <n> months' },
  load: {
    type: 'string',
    default: '1000000',
    takes: '<n>',
    says: 'Measure the memory use during <n> requests',
  },
  resources: {
    type: 'string',
    default: '1000000',
    takes: '<n>',
    says: 'Measure requests with up to <n> stored resources',
  },
  seed: {
    type: 'string',
    default: String(Date.now() % 1_000_000),
    takes: '<n>',
    says: 'Use this seed for the random operations and the generated requests. By default, each run has a different seed',
  },
  only: {
    type: 'string',
    default: 'sqlite,postgres,attacks,history,generated,years,growth,load',
    takes: '<parts>',
    says: 'Run only these parts (comma-separated list)',
  },
})
const [kills, writes] = [Number(values.kills), Number(values.writes)]
let failed = false

function report(what: string, figures: Readonly<Record<string, unknown>>, wrong: readonly string[]): void {
  process.stdout.write(`${what}: ${JSON.stringify(figures)}\n`)
  for (const one of wrong.slice(0, 20)) process.stdout.write(`  ${one}\n`)
  failed ||= wrong.length > 0
}

async function soakKills(what: string, database: string): Promise<void> {
  const acknowledged = await killDuringWrites(database, { kills, writes })
  const lost = await lostWrites(database, acknowledged)
  const figures = { kills, acknowledged: acknowledged.length, lost: lost.length }
  report(`SIGKILL during writes, ${what}`, figures, lost)
}

const parts: Readonly<Record<string, () => Promise<void>>> = {
  sqlite: () => onSqlite((database) => soakKills('SQLite', database)),
  postgres: () => onPostgres((database) => soakKills('PostgreSQL', database)),
  attacks: async () => {
    const attack = async (what: string, createDatabase: () => Promise<string> | string) => {
      for await (const [name, { wrong, ...figures }] of runAttacks(createDatabase))
        report(`attack with pipelined ${name}, ${what}`, figures, wrong)
    }
    await attack('SQLite', () => ':memory:')
    await withPostgres((cluster) => attack('PostgreSQL', cluster.createDatabase))
  },
  history: () =>
    onPostgres(async (database) => {
      const [operations, seed] = [Number(values.operations), Number(values.seed)]
      const { anomalies, ...figures } = await runHistory(database, { operations, seed, disturbed: true })
      report('history of three processes', { seed, ...figures, anomalies: anomalies.length }, anomalies)
    }),
  generated: async () => {
    const [requests, seed] = [Number(values.requests), Number(values.seed)]
    const { faults, ...figures } = await runGenerated({ requests, seed })
    report('generated requests', { seed, ...figures, faults: faults.length }, faults)
  },
  years: () =>
    onSqlite(async (database) =>
      reportMemory('memory over virtual years', await runYears(database, Number(values.months))),
    ),
  growth: () =>
    onSqlite(async (database) => {
      const { wrong, ...figures } = await runGrowth(dirname(database), Number(values.resources))
      report('requests with few and with many resources', figures, wrong)
    }),
  load: () =>
    onSqlite(async (database) =>
      reportMemory('memory under load', await runLoad(database, Number(values.load))),
    ),
}

function reportMemory(what: string, { wrong, ...figures }: MemoryFigures): void {
  report(what, { ...figures }, wrong)
}

async function onSqlite(act: (database: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'soak-'))
  try {
    await act(join(folder, 'server.db'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const onPostgres = (act: (database: string) => Promise<void>): Promise<void> =>
  withPostgres(async (cluster) => act(await cluster.createDatabase()))

async function withPostgres(act: (cluster: PostgresCluster) => Promise<void>): Promise<void> {
  const cluster = await startOwnPostgres({ durable: true })
  try {
    await act(cluster)
  } finally {
    await cluster.stop()
  }
}

const chosen = values.only.split(',')
const unknown = chosen.find((name) => !parts[name])
if (unknown !== undefined) {
  console.error(
    `--only must be a comma-separated list of ${Object.keys(parts).join(', ')}, but contains "${unknown}".`,
  )
  process.exitCode = 2
} else {
  for (const name of chosen) await parts[name]?.()
  process.exitCode = failed ? 1 : 0
}

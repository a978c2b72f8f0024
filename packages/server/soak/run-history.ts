import { anomaliesOf } from './check-history.ts'
import { finalStateOf } from './final-state.ts'
import { startFleet } from './fleet.ts'
import { seeded } from './random.ts'
import { prepare, runWorkload } from './workload.ts'

export interface HistoryOptions {
  readonly operations: number
  readonly seed: number
  /** Whether to kill and pause servers at random. */
  readonly disturbed: boolean
}

export interface HistoryFigures {
  readonly answered: number
  readonly unanswered: number
  readonly kills: number
  readonly pauses: number
  readonly alerts: number
  /** Number of notifications, snapshots and open alerts checked for duplicates. */
  readonly once: number
  readonly seconds: number
  readonly anomalies: readonly string[]
}

const servers = 3
const clients = 12
/** The speed of the clock. At one minute per second, scheduled events occur during the run, but nonces don't expire. */
const rate = 60
const flags = ['--nonce-lifetime', '86400']

/**
 * Runs three servers that share a database, kills and pauses them at random while clients send requests, and checks the
 * responses.
 */
export async function runHistory(database: string, options: HistoryOptions): Promise<HistoryFigures> {
  const begun = performance.now()
  const fleet = await startFleet(database, servers, { flags })
  try {
    await fleet.any().control('PUT', '/clock', { rate })
    const counters = await prepare(fleet.any)
    const disturbance = options.disturbed ? fleet.disturb(seeded(options.seed)) : undefined
    const { any } = fleet
    const random = seeded(options.seed + 1)
    const work = await runWorkload({ any, random, clients, operations: options.operations }, counters)
    const { kills, pauses } = (await disturbance?.stop()) ?? { kills: 0, pauses: 0 }
    const final = await finalStateOf(fleet.any(), database, work)
    return {
      answered: work.answered,
      unanswered: work.unanswered,
      kills,
      pauses,
      alerts: work.alerts.length,
      once: final.once.length,
      seconds: Math.round((performance.now() - begun) / 1000),
      anomalies: anomaliesOf(work.history, final),
    }
  } finally {
    await fleet.stop()
  }
}

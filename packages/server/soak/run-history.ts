import { anomaliesOf } from './check-history.ts'
import { finalStateOf } from './final-state.ts'
import { startFleet } from './fleet.ts'
import { seeded } from './random.ts'
import { prepare, runWorkload } from './workload.ts'

export interface HistoryOptions {
  readonly operations: number
  readonly seed: number
  /** If false, no servers are killed or paused. */
  readonly disturbed: boolean
}

export interface HistoryFigures {
  readonly answered: number
  readonly unanswered: number
  readonly kills: number
  readonly pauses: number
  readonly alerts: number
  /** The number of notifications, snapshots and open alerts that were checked for duplicates. */
  readonly once: number
  readonly seconds: number
  readonly anomalies: readonly string[]
}

const servers = 3
const clients = 12
/**
 * The rate of the clock. The clock advances by a minute per second, so that scheduled events occur during the run but
 * nonces remain valid.
 */
const rate = 60
const flags = ['--nonce-lifetime', '86400']

/**
 * Runs three servers on one database under load, kills and pauses them at random, and checks the responses to
 * their clients.
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

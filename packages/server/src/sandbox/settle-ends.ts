import { setImmediate as othersTurn } from 'node:timers/promises'
import { states } from '@svc-admin/types'
import { finishedExportJob } from '../domain/backups/export-job.ts'
import { finishedRestoreJob } from '../domain/backups/restore-job.ts'
import { failingMachine } from '../domain/cloud-migration/failing-machine.ts'
import type { StateMachine, StoredState } from '../domain/lifecycle.ts'
import { indexAt } from '../domain/search/index-state.ts'
import { stateAt } from '../domain/state-machine.ts'
import { Stored } from '../domain/stored.ts'
import { unobserved } from '../domain/transition-pace.ts'
import {
  type EndState,
  type LifecycleRow,
  type LifecycleTable,
  lifecycleRows,
} from '../persistence/lifecycle-rows.ts'
import { settleLimit } from '../world/clock.ts'
import type { World } from '../world/world.ts'

/**
 * The number of rows to process per transaction. The limit is low, because an open transaction blocks other requests on
 * SQLite.
 */
const batch = 500

/**
 * Returns the final state of a row, or `gone` if the row must be deleted. If the lifecycle hasn't ended, returns
 * undefined.
 */
type Ender = (row: LifecycleRow, now: number) => EndState | 'gone' | undefined

const keptOf = ({ id, state, since, target }: LifecycleRow): StoredState & { readonly id: string } => ({
  id: String(id),
  state: String(state),
  since: Number(since),
  ...(typeof target === 'string' && target !== '' ? { target } : {}),
})

const withDocument = (row: LifecycleRow) => ({
  ...keptOf(row),
  document: Stored.from<never>(String(row.document)),
})

interface OverRow {
  readonly state: string
  readonly since: number
  readonly document: Stored<unknown>
}

const ending = (over: OverRow | undefined): EndState | undefined =>
  over && { state: over.state, since: over.since, document: over.document.text }

/** Returns a function for lifecycles that depend only on time. */
const endOf =
  (machine: StateMachine & { readonly final: readonly string[] }): Ender =>
  (row, now) => {
    const kept = keptOf(row)
    const { state, since, passed } = stateAt(failingMachine(machine, kept), kept, now)
    return passed.length > 0 && machine.final.includes(state) ? { state, since } : undefined
  }

/**
 * Functions that determine how each lifecycle ends without a request. Snapshots are excluded, because their expiry is
 * handled separately.
 */
const enders: Readonly<Record<LifecycleTable, Ender>> = {
  export_jobs: (row, now) => ending(finishedExportJob(withDocument(row), now)),
  restore_jobs: (row, now) => ending(finishedRestoreJob(withDocument(row), now)),
  live_migrations: endOf(states['live-migration']),
  migration_validations: endOf(states['migration-validation']),
  outage_simulations: endOf(states['outage-simulation']),
  search_indexes: (row, now) => (indexAt({ ...keptOf(row), built: false }, now) ? undefined : 'gone'),
}

/**
 * Stores the final state of all resources whose lifecycles have ended. Otherwise, these resources would restart after
 * the clock is set back, because their states are calculated from the clock. For example, a job that restarts would no
 * longer find its snapshot.
 */
export async function settleEveryEnd(world: World, now: number): Promise<void> {
  for (const [table, ender] of Object.entries(enders)) {
    if (isEnding(table)) await settleEnds(world, table, ender, now)
  }
}

const isEnding = (name: string): name is LifecycleTable => Object.hasOwn(enders, name)

async function settleEnds(world: World, table: LifecycleTable, ender: Ender, now: number): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; await othersTurn()) {
    const from: string = after
    after = await world.database.transaction(async (transaction) => {
      const until = await settleLimit(world.clock, now, transaction)
      const rows = await lifecycleRows.page(transaction, table, from, batch)
      for (const row of rows) {
        const id = String(row.id)
        const end = unobserved(() => ender(row, until))
        if (end === 'gone') await lifecycleRows.remove(transaction, table, id)
        else if (end) await lifecycleRows.update(transaction, table, id, end)
      }
      return rows.length === batch ? String(rows.at(-1)?.id) : undefined
    })
  }
}

import { type RawBuilder, sql } from 'kysely'
import { rewound } from '../domain/alert.ts'
import { initialRestoreState } from '../domain/backups/restore-job.ts'
import { alerts } from './alerts.ts'
import type { Transaction } from './database.ts'
import type { Tables } from './schema.ts'
import type { WorldTable } from './world-tables.ts'

type Lifecycle = {
  [T in WorldTable]: 'since' extends keyof Tables[T] ? T : never
}[WorldTable]

/**
 * All tables with a lifecycle. If a table with a lifecycle is missing, this code doesn't compile. If the value is a
 * state, only rows with that state are reset. For example, a completed download keeps its state until it expires.
 */
const lifecycles: Readonly<Record<Lifecycle, string | true>> = {
  alerts: true,
  compliance_policies: true,
  export_jobs: true,
  live_migrations: true,
  migration_validations: true,
  outage_simulations: true,
  restore_jobs: initialRestoreState,
  search_indexes: true,
  search_nodes: true,
  snapshots: true,
}

/**
 * After the clock is set back, resets times that are in the future. Otherwise, a lifecycle that starts next year would
 * make no progress until then. Similarly, a schedule whose next snapshot is due next year would take no snapshots until
 * then.
 *
 * @param tokenLifetime The lifetime of access tokens, in seconds.
 */
export async function rewind(transaction: Transaction, now: number, tokenLifetime: number): Promise<void> {
  for (const alert of await alerts.dueAfter(transaction, now)) {
    await alerts.put(transaction, { ...rewound(alert, now), dueAt: now })
  }
  const here = sql.lit(now)
  // A snapshot that is due at exactly this time has already been taken.
  const next = sql.lit(now + 1)
  const expired = sql.lit(now + tokenLifetime * 1000)
  await transaction.execute((db) =>
    [
      ...Object.entries(lifecycles).map(([table, state]) => {
        const begun = sql`update ${sql.table(table)} set since = ${here} where since > ${here}`
        return state === true ? begun : sql`${begun} and state = ${sql.lit(state)}`
      }),
      sql`delete from reached_states where at > ${here}`,
      ...withoutFuture(here),
      sql`update webhook_deliveries set due_at = ${here} where due_at > ${here}`,
      sql`update tokens set expires_at = ${expired} where expires_at > ${expired}`,
      sql`delete from rate_windows where started_at > ${here}`,
      sql`update backup_schedules set next_at = ${next} where next_at > ${next}`,
    ].map((update) => ({ compile: () => update.compile(db) })),
  )
}

/**
 * Deletes notifications that were created after a given time. A notification with a pending webhook is kept, but its
 * creation time is set to the given time.
 */
const withoutFuture = (here: RawBuilder<unknown>) => {
  const later = sql`created_at > ${here}`
  const done = sql`webhook_deliveries where due_at is null`
  return [
    sql`delete from ${done} and id in (select id from outbox where ${later})`,
    sql`delete from outbox where ${later} and id not in (select id from webhook_deliveries)`,
    sql`update outbox set created_at = ${here} where ${later}`,
  ]
}

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
 * Every table with a lifecycle. A missing table is a compile error. A state restricts the reset to rows in that
 * state: a ready download is retained until its own expiry.
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
 * Resets times in the future after the clock was set back. Otherwise, a lifecycle that begins a year from now
 * would stop for a year, and so would a schedule that has already taken the snapshots of that year.
 *
 * @param tokenLifetime lifetime of an access token in seconds.
 */
export async function rewind(transaction: Transaction, now: number, tokenLifetime: number): Promise<void> {
  for (const alert of await alerts.dueAfter(transaction, now)) {
    await alerts.put(transaction, { ...rewound(alert, now), dueAt: now })
  }
  const here = sql.lit(now)
  // A snapshot due exactly now was already taken.
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

/** Removes notifications from after a time. Webhooks that are about to be sent move to that time instead. */
const withoutFuture = (here: RawBuilder<unknown>) => {
  const later = sql`created_at > ${here}`
  const done = sql`webhook_deliveries where due_at is null`
  return [
    sql`delete from ${done} and id in (select id from outbox where ${later})`,
    sql`delete from outbox where ${later} and id not in (select id from webhook_deliveries)`,
    sql`update outbox set created_at = ${here} where ${later}`,
  ]
}

import { type Compilable, type Expression, sql } from 'kysely'
import type { DatabaseDialect } from './dialects/dialect.ts'
import type { Builder } from './statement.ts'

/** A list whose rows are counted by triggers, identified by its table and these columns. */
type CountedList =
  | 'alert_configs group_id'
  | 'alerts group_id'
  | 'alerts group_id status'
  | 'alerts config_id status'
  | 'export_buckets group_id'

/** Returns the length of a list. Triggers keep the length up to date, because counting many rows is slow. */
export function countOf(
  db: Builder,
  { countsTogether }: DatabaseDialect,
  list: CountedList,
  ...owner: readonly Expression<string>[]
): Compilable<{ total: number }> {
  const whose = sql.join(owner, sql` || ' ' || `)
  const total = countsTogether ? sql`"total"` : sql`coalesce(sum("total"), 0)`
  const query = sql<{
    total: number
  }>`select ${total} as "total" from "row_counts" where "list" = ${sql.lit(list)} and "owner" = ${whose}`
  return { compile: () => query.compile(db) }
}

import { type Compilable, type Expression, sql } from 'kysely'
import type { DatabaseDialect } from './dialects/dialect.ts'
import type { Builder } from './statement.ts'

/** A list that triggers count, named by its table and by the columns that its rows have in common. */
type CountedList =
  | 'alert_configs group_id'
  | 'alerts group_id'
  | 'alerts group_id status'
  | 'alerts config_id status'
  | 'export_buckets group_id'

/** How long a list is: what triggers have counted, since to count takes as long as there is something to count. */
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

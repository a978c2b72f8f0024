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

/**
 * How long a list is: what triggers have counted, where they do (`countsRows` of a dialect), since to count takes as long
 * as there is something to count.
 */
export function countOf(
  db: Builder,
  { countsRows }: DatabaseDialect,
  list: CountedList,
  ...owner: readonly Expression<string>[]
): Compilable<{ total: number }> {
  const [table = '', ...columns] = list.split(' ')
  const same = columns.map((column, index) => sql`${sql.ref(column)} = ${owner[index]}`)
  const whose = sql.join(owner, sql` || ' ' || `)
  const query = countsRows
    ? sql<{
        total: number
      }>`select "total" from "row_counts" where "list" = ${sql.lit(list)} and "owner" = ${whose}`
    : sql<{
        total: number
      }>`select count(*) as "total" from ${sql.table(table)} where ${sql.join(same, sql` and `)}`
  return { compile: () => query.compile(db) }
}

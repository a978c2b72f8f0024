import { type Expression, sql } from 'kysely'
import type { Builder } from './statement.ts'

/** A list that triggers count, named by its table and by the columns that its rows have in common. */
type CountedList =
  | 'alert_configs group_id'
  | 'alerts group_id'
  | 'alerts group_id status'
  | 'alerts config_id status'
  | 'export_buckets group_id'

/**
 * How long a list is, where triggers count its rows (`countsRows` of a dialect): to count takes as long as there is
 * something to count.
 */
export const keptCount = (db: Builder, list: CountedList, ...owner: readonly Expression<string>[]) =>
  db
    .selectFrom('row_counts')
    .select('total')
    .where('list', '=', list)
    .where('owner', '=', sql<string>`${sql.join(owner, sql` || ' ' || `)}`)

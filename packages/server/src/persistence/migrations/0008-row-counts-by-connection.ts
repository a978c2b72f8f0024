import { keyOf, type List, lists, ownerOf } from './0007-row-counts.ts'
import { type Migration, raw } from './migration.ts'

/**
 * Counts the rows of lists on a database with concurrent writers. Each connection has a separate count (`slot`), so
 * that connections don't wait for each other. The length of a list is the sum of its counts. A count is negative if the
 * connection deleted more rows than it inserted.
 */
export const rowCountsByConnection: Migration = {
  id: 8,
  name: 'row-counts-by-connection',
  up: (db, { countsTogether }) => {
    if (countsTogether) return []
    const tables = [...new Set(lists.map(({ of }) => of))]
    return [table, ...tables.flatMap(counting)].map((text) => raw(db, text))
  },
}

/**
 * This fill factor leaves half of each page free, so that updated counts stay on the same page and the index doesn't
 * change.
 */
const table = `create table row_counts (
  list text collate "C" not null, owner text collate "C" not null, slot integer not null, total bigint not null,
  primary key (list, owner, slot)
) with (fillfactor = 50)`

/**
 * The number of slots. Connections with the same slot wait for each other. A server's connections usually have
 * consecutive process IDs and therefore different slots.
 */
const slots = 64

/**
 * Creates the triggers before it counts the existing rows. Creating a trigger waits for running changes and blocks new
 * changes until all rows are counted.
 */
function counting(of: string): string[] {
  const counted = lists.filter((list) => list.of === of)
  const updates = counted.flatMap((list) => [lineOf(list, 'old.', -1), lineOf(list, 'new.', 1)])
  const columns = [...new Set(counted.flatMap(({ by }) => by))]
  const changed = columns.map((column) => `old.${column} is distinct from new.${column}`).join(' or ')
  return [
    functionOf(
      of,
      'insert',
      counted.map((list) => `${lineOf(list, '', 1)} from added`),
    ),
    trigger(of, 'insert', 'referencing new table as added for each statement'),
    functionOf(
      of,
      'delete',
      counted.map((list) => `${lineOf(list, '', -1)} from removed`),
    ),
    trigger(of, 'delete', 'referencing old table as removed for each statement'),
    functionOf(of, 'update', updates),
    trigger(of, 'update', `for each row when (${changed})`),
    forgetting(of),
    trigger(of, 'truncate', 'for each statement'),
    ...counted.map(
      (list) => `insert into row_counts (list, owner, slot, total)
        select ${keyOf(list)}, ${ownerOf(list, '')}, 0, count(*) from ${of} group by 2`,
    ),
  ]
}

const lineOf = (list: List, row: string, change: number): string =>
  `select ${keyOf(list)} as list, ${ownerOf(list, row)} as owner, ${change} as change`

/**
 * Returns a trigger function that always locks rows in the same order, so that connections with the same slot can't
 * deadlock.
 */
const functionOf = (of: string, event: string, lines: readonly string[]): string =>
  `create function ${nameOf(of, event)}() returns trigger language plpgsql as $$ begin
    insert into row_counts (list, owner, slot, total)
      select list, owner, pg_backend_pid() % ${slots}, sum(change) from (${lines.join(' union all ')}) as changes
      group by list, owner having sum(change) <> 0 order by list, owner
      on conflict (list, owner, slot) do update set total = row_counts.total + excluded.total;
    return null;
  end $$`

const forgetting = (of: string): string =>
  `create function ${nameOf(of, 'truncate')}() returns trigger language plpgsql as $$ begin
    delete from row_counts where list like '${of} %';
    return null;
  end $$`

const trigger = (of: string, event: string, how: string): string =>
  `create trigger ${nameOf(of, event)} after ${event} on ${of} ${how} execute function ${nameOf(of, event)}()`

const nameOf = (of: string, event: string): string => `count_${of}_after_${event}`

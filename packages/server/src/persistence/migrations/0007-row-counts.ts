import { type Migration, raw, table } from './migration.ts'

/** A list that can be long, identified by its table and these columns. */
export interface List {
  readonly of: string
  readonly by: readonly string[]
}

export const lists: readonly List[] = [
  { of: 'alert_configs', by: ['group_id'] },
  { of: 'alerts', by: ['group_id'] },
  { of: 'alerts', by: ['group_id', 'status'] },
  { of: 'alerts', by: ['config_id', 'status'] },
  { of: 'export_buckets', by: ['group_id'] },
]

/**
 * Adds triggers that count the rows of each list. The triggers also count inserts and deletes that aren't at the end of
 * a list. The triggers require a database with only one writer at a time. On PostgreSQL, concurrent inserts in a
 * project would all conflict on the same row.
 */
export const rowCounts: Migration = {
  id: 7,
  name: 'row-counts',
  up: (db, { countsTogether }) => {
    if (!countsTogether) return []
    const counts = table(db, 'row_counts', {
      text: ['list', 'owner'],
      numbers: ['total', 'moved'],
      key: ['list', 'owner'],
    })
    return [counts, ...lists.flatMap((list) => counted(list).map((text) => raw(db, text)))]
  },
}

/** Counts the existing rows and adds triggers that count all later changes. */
function counted(list: List): string[] {
  const { of, by } = list
  const nameOf = (event: string) => `"${of} by ${by.join(' and ')} after ${event}"`
  const trigger = (event: string, on: string, body: string) =>
    `create trigger ${nameOf(event)} after ${on} on ${of} ${body}`
  const [before, after] = [ownerOf(list, 'old.'), ownerOf(list, 'new.')]
  const less = oneLess(list, before)
  const more = oneMore(list, after)
  return [
    `insert into row_counts (list, owner, total, moved)
     select ${keyOf(list)}, ${ownerOf(list, '')}, count(*), 0 from ${of} group by 2`,
    trigger('insert', 'insert', `begin ${more} end`),
    trigger('delete', 'delete', `begin ${less} end`),
    trigger('update', `update of ${by.join(', ')}`, `when ${before} <> ${after} begin ${less} ${more} end`),
    trigger('move', 'update of created_at, id', `when ${before} = ${after} begin ${moved(list, before)} end`),
  ]
}

/** Returns the name of a list in `row_counts`. */
export const keyOf = ({ of, by }: List) => `'${[of, ...by].join(' ')}'`

/** Returns an SQL expression for the owner of a row's list. */
export const ownerOf = ({ by }: List, row: string) =>
  by.map((column) => `${row}${column}`).join(` || ' ' || `)

const oneMore = (list: List, owner: string) => {
  const { of, by } = list
  const sameList = by.map((column) => `${column} = new.${column}`).join(' and ')
  const later = `select 1 from ${of} where ${sameList} and (created_at, id) > (new.created_at, new.id)`
  return `insert into row_counts (list, owner, total, moved) values (${keyOf(list)}, ${owner}, 1, 0)
    on conflict do update set total = total + 1, moved = moved + exists (${later});`
}

const rowOf = (list: List, owner: string) => `where list = ${keyOf(list)} and owner = ${owner}`

const moved = (list: List, owner: string) => `update row_counts set moved = moved + 1 ${rowOf(list, owner)};`

/**
 * Decreases the count by one, but keeps the `row_counts` row even if the list becomes empty. If the `row_counts` row
 * were deleted, outdated anchors of the list would appear valid again.
 */
const oneLess = (list: List, owner: string) =>
  `update row_counts set total = total - 1, moved = moved + 1 ${rowOf(list, owner)};`

import { type Compilable, sql } from 'kysely'
import type { Builder } from '../statement.ts'
import { type Migration, table } from './migration.ts'

/** A list that can grow long: its table, and the columns that its rows have in common. */
interface List {
  readonly of: string
  readonly by: readonly string[]
}

const lists: readonly List[] = [
  { of: 'alert_configs', by: ['group_id'] },
  { of: 'alerts', by: ['group_id'] },
  { of: 'alerts', by: ['group_id', 'status'] },
  { of: 'alerts', by: ['config_id', 'status'] },
  { of: 'export_buckets', by: ['group_id'] },
]

/**
 * How long lists are, where one writer at a time lets triggers count: on PostgreSQL every create in a project would
 * change the same row, and lose against the others.
 */
export const rowCounts: Migration = {
  id: 7,
  name: 'row-counts',
  up: (db, { countsRows }) => {
    if (!countsRows) return []
    const counts = table(db, 'row_counts', {
      text: ['list', 'owner'],
      numbers: ['total'],
      key: ['list', 'owner'],
    })
    return [counts, ...lists.flatMap((list) => counted(list).map((text) => raw(db, text)))]
  },
}

/** Counts what is there, and lets each change of it count. */
function counted(list: List): string[] {
  const { of, by } = list
  const nameOf = (event: string) => `"${of} by ${by.join(' and ')} after ${event}"`
  const trigger = (event: string, on: string, body: string) =>
    `create trigger ${nameOf(event)} after ${on} on ${of} ${body}`
  const [before, after] = [ownerOf(list, 'old.'), ownerOf(list, 'new.')]
  const less = oneLess(list, before)
  const more = oneMore(list, after)
  return [
    `insert into row_counts (list, owner, total)
     select ${keyOf(list)}, ${ownerOf(list, '')}, count(*) from ${of} group by 2`,
    trigger('insert', 'insert', `begin ${more} end`),
    trigger('delete', 'delete', `begin ${less} end`),
    trigger('update', `update of ${by.join(', ')}`, `when ${before} <> ${after} begin ${less} ${more} end`),
  ]
}

const keyOf = ({ of, by }: List) => `'${[of, ...by].join(' ')}'`

const ownerOf = ({ by }: List, row: string) => by.map((column) => `${row}${column}`).join(` || ' ' || `)

const oneMore = (list: List, owner: string) =>
  `insert into row_counts (list, owner, total) values (${keyOf(list)}, ${owner}, 1)
   on conflict do update set total = total + 1;`

const oneLess = (list: List, owner: string) => {
  const where = `where list = ${keyOf(list)} and owner = ${owner}`
  return `update row_counts set total = total - 1 ${where}; delete from row_counts ${where} and total = 0;`
}

function raw(db: Builder, text: string): Compilable {
  const query = sql.raw(text)
  return { compile: () => query.compile(db) }
}

import { type RawBuilder, sql } from 'kysely'
import type { Session } from './database.ts'
import type { SqlValue } from './dialects/dialect.ts'
import type { Tables } from './schema.ts'
import { type Slots, type StatementSpec, unplanned, type Values } from './statement.ts'
import type { WorldTable } from './world-tables.ts'

/**
 * Tables whose rows have an `id` and a lifecycle that can end without a request. Snapshots are excluded, because their
 * expiry is stored.
 */
export type LifecycleTable = {
  [T in WorldTable]: 'since' | 'id' extends keyof Tables[T]
    ? T extends 'alerts' | 'search_nodes' | 'snapshots'
      ? never
      : T
    : never
}[WorldTable]

export type LifecycleRow = Readonly<Record<string, SqlValue>>

/** The state to store for a lifecycle that has ended. */
export interface EndState {
  readonly state: string
  readonly since: number
  /** The document, if the table has documents. */
  readonly document?: string
}

interface Page extends Values {
  after: string
  limit: number
}
interface Ended extends Values {
  id: string
  state: string
  since: number
}
interface EndedDocument extends Ended {
  document: string
}

/** Returns the statements for a table, which run only when the clock is set back. */
function statementsOf(table: LifecycleTable) {
  const name = sql.table(table)
  const spec = <P extends Values, R>(build: ($: Slots<P>) => RawBuilder<R>): StatementSpec<P, R> =>
    unplanned((db, $) => {
      const query = build($)
      return { compile: () => query.compile(db) }
    })
  return {
    page: spec<Page, LifecycleRow>(
      ($) => sql`select * from ${name} where id > ${$('after')} order by id limit ${$('limit')}`,
    ),
    end: spec<Ended, unknown>(
      ($) => sql`update ${name} set state = ${$('state')}, since = ${$('since')} where id = ${$('id')}`,
    ),
    show: spec<EndedDocument, unknown>(
      ($) =>
        sql`update ${name} set state = ${$('state')}, since = ${$('since')}, document = ${$('document')} where id = ${$('id')}`,
    ),
    remove: spec<{ id: string }, unknown>(($) => sql`delete from ${name} where id = ${$('id')}`),
  }
}

const known = new Map<LifecycleTable, ReturnType<typeof statementsOf>>()

function statements(table: LifecycleTable) {
  const found = known.get(table) ?? statementsOf(table)
  known.set(table, found)
  return found
}

/**
 * Stores the final states of lifecycles that have ended without a request. Otherwise, these lifecycles would restart
 * when the clock is set back.
 */
export const lifecycleRows = {
  /** Returns the page of rows after the given row. */
  page: (
    session: Session,
    table: LifecycleTable,
    after: string,
    limit: number,
  ): Promise<readonly LifecycleRow[]> => session.all(statements(table).page, { after, limit }),

  async update(session: Session, table: LifecycleTable, id: string, ending: EndState): Promise<void> {
    const { document, state, since } = ending
    if (document === undefined) await session.all(statements(table).end, { id, state, since })
    else await session.all(statements(table).show, { id, state, since, document })
  },

  async remove(session: Session, table: LifecycleTable, id: string): Promise<void> {
    await session.all(statements(table).remove, { id })
  },
}

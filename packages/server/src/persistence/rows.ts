import { type RawBuilder, sql } from 'kysely'
import type { DatabaseDialect, SqlValue } from './dialects/dialect.ts'
import type { Tables } from './schema.ts'
import { type Builder, type StatementSpec, statement } from './statement.ts'

type TableName = keyof Tables & string
type Column<T extends TableName> = keyof Tables[T] & string

/** Converts a column name to camel case. */
type FieldOf<C extends string> = C extends `${infer Start}_${infer Rest}`
  ? `${Start}${Capitalize<FieldOf<Rest>>}`
  : C

/** A row in a table, with fields named after the columns in camel case. */
export type RowOf<T extends TableName, C extends Column<T> = Column<T>> = {
  [K in C as FieldOf<K>]: Tables[T][K] & SqlValue
}

/** Statements that most tables need. */
export interface Rows<T extends TableName> {
  /** Returns the rows with the given values in these columns. */
  get<C extends Column<T>>(by: readonly C[]): StatementSpec<RowOf<T, C>, RowOf<T>>
  /** Returns the same rows as `get` and locks them until the transaction ends. */
  find<C extends Column<T>>(by: readonly C[]): StatementSpec<RowOf<T, C>, RowOf<T>>
  /** Returns the same rows as `get`, sorted by creation time. */
  list<C extends Column<T>>(by: readonly C[]): StatementSpec<RowOf<T, C>, RowOf<T>>
  /** Returns a page of a list. */
  page<C extends Column<T>>(by: readonly C[]): StatementSpec<RowOf<T, C> & Window, RowOf<T>>
  count<C extends Column<T>>(by: readonly C[]): StatementSpec<RowOf<T, C>, { total: number }>
  readonly insert: StatementSpec<RowOf<T>, unknown>
  /** Updates the row with the same key, except for its fixed columns. */
  readonly update: StatementSpec<RowOf<T>, unknown>
  /** Inserts a row. If a row with the same key exists, updates that row except for its fixed columns. */
  readonly put: StatementSpec<RowOf<T>, unknown>
}

interface Window {
  readonly limit: number
  readonly offset: number
}

/** Returns the placeholder for a field. */
type Place = (name: string) => RawBuilder<unknown>

/**
 * Builds the statements that most tables need from a list of the table's columns.
 *
 * @example
 * ```ts
 * const rows = rowsOf('custom_dns', { key: ['group_id'], changing: ['enabled'] })
 * ```
 */
export function rowsOf<
  T extends TableName,
  K extends Column<T>,
  C extends Column<T>,
  F extends Column<T> = never,
>(table: T, { key, changing, fixed }: RowColumns<K, C, F> & AllOf<Column<T>, K | C | F>): Rows<T> {
  const columns = [...key, ...(fixed ?? []), ...changing]
  const selected = listOf(columns, (column) => sql`${sql.ref(column)} as ${sql.ref(fieldOf(column))}`)
  const equal = (by: readonly string[], $: Place) =>
    sql.join(
      by.map((column) => sql`${sql.ref(column)} = ${$(fieldOf(column))}`),
      sql` and `,
    )
  const where = (by: readonly string[], $: Place) => sql`from ${sql.table(table)} where ${equal(by, $)}`
  const select = (by: readonly string[], $: Place) => sql`select ${selected} ${where(by, $)}`
  const list = (by: readonly string[], $: Place) =>
    sql`${select(by, $)} order by ${sql.ref('created_at')}, ${sql.ref('id')}`
  const insert = ($: Place) =>
    sql`insert into ${sql.table(table)} (${listOf(columns, (column) => sql.ref(column))}) values (${listOf(columns, (column) => $(fieldOf(column)))})`
  const updates = listOf(changing, (column) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`)
  const assigned = ($: Place) => listOf(changing, (column) => sql`${sql.ref(column)} = ${$(fieldOf(column))}`)
  return {
    get: (by) => raw(($) => select(by, $)),
    find: (by) => raw(($, { locksRows }) => (locksRows ? sql`${select(by, $)} for update` : select(by, $))),
    list: (by) => raw(($) => list(by, $)),
    page: (by) => raw(($) => sql`${list(by, $)} limit ${$('limit')} offset ${$('offset')}`),
    count: (by) => raw(($) => sql`select count(*) as ${sql.ref('total')} ${where(by, $)}`),
    insert: raw(insert),
    update: raw(($) => sql`update ${sql.table(table)} set ${assigned($)} where ${equal(key, $)}`),
    put: raw(
      ($) =>
        sql`${insert($)} on conflict (${listOf(key, (column) => sql.ref(column))}) do update set ${updates}`,
    ),
  }
}

interface RowColumns<K, C, F> {
  readonly key: readonly K[]
  readonly changing: readonly C[]
  /** Columns that never change after the row is inserted. */
  readonly fixed?: readonly F[]
}

/**
 * Requires a list with all columns. If columns are missing, the type requires a property that doesn't exist, and the
 * compiler error contains the names of the columns.
 */
type AllOf<All, Listed> = [Exclude<All, Listed>] extends [never] ? unknown : { missing: Exclude<All, Listed> }

const listOf = <C extends string>(columns: readonly C[], write: (column: C) => RawBuilder<unknown>) =>
  sql.join(columns.map(write))

const fieldOf = (column: string): string =>
  column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

function raw<P extends Readonly<Record<string, SqlValue>>, R>(
  build: ($: Place, dialect: DatabaseDialect) => RawBuilder<unknown>,
): StatementSpec<P, R> {
  return statement<P, R>((db: Builder, $, dialect) => {
    const query = build((name) => $(name as keyof P & string), dialect) as RawBuilder<R>
    return { compile: () => query.compile(db) }
  })
}

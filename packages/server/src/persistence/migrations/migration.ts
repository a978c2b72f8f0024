import { type Compilable, type CreateTableBuilder, sql } from 'kysely'
import type { DatabaseDialect } from '../dialects/dialect.ts'
import type { Builder } from '../statement.ts'

/** A numbered change to the tables. Don't edit a released migration. Add a new migration instead. */
export interface Migration {
  readonly id: number
  readonly name: string
  readonly up: (db: Builder, dialect: DatabaseDialect) => readonly Compilable[]
}

interface TableSpec {
  readonly text?: readonly string[]
  readonly numbers?: readonly string[]
  /** Numeric columns that can be null. */
  readonly maybe?: readonly string[]
  readonly key: readonly string[]
}

/** Creates a table. Columns contain text or 64-bit integers, which are supported by all dialects. */
export function table(db: Builder, name: string, spec: TableSpec): Compilable {
  let built: CreateTableBuilder<string, string> = db.schema.createTable(name)
  for (const column of spec.text ?? []) built = built.addColumn(column, 'text', (c) => c.notNull())
  for (const column of spec.numbers ?? []) built = built.addColumn(column, 'bigint', (c) => c.notNull())
  for (const column of spec.maybe ?? []) built = built.addColumn(column, 'bigint')
  return built.addPrimaryKeyConstraint(`${name}_key`, [...spec.key])
}

/** Creates an index that is named after its table and columns. */
export function index(db: Builder, on: string, ...columns: string[]): Compilable {
  return db.schema
    .createIndex(`${on}_by_${columns.join('_')}`)
    .on(on)
    .columns(columns)
}

/** Creates a statement from SQL text if the query builder doesn't support the statement. */
export function raw(db: Builder, text: string): Compilable {
  const query = sql.raw(text)
  return { compile: () => query.compile(db) }
}

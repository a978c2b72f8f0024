import type { DialectAdapter, QueryCompiler } from 'kysely'

/** What can be bound to a statement. */
export type SqlValue = string | number | null

/** One statement, prepared once and run many times. */
export interface Statement {
  all(values: readonly SqlValue[]): Promise<readonly unknown[]>
  /** The first row, for who wants one: a driver may have a shorter way to it. */
  first(values: readonly SqlValue[]): Promise<unknown>
}

/** One connection. A dialect decides how many there are. */
export interface Connection {
  /** The statement of this text, prepared on its first use. */
  prepare(sql: string): Statement
  begin(): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
  /** Gives the connection back. */
  release(): void
}

/** An open database: a source of connections. */
export interface Pool {
  acquire(): Promise<Connection>
  close(): Promise<void>
}

/**
 * What differs between two databases. Everything else (tables, statements, repositories, migrations) is shared,
 * so supporting another database is one file beside this one.
 */
export interface DatabaseDialect {
  readonly name: string
  readonly adapter: DialectAdapter
  readonly compiler: QueryCompiler
  /** True if other processes may use the same database: then nothing is remembered between two statements. */
  readonly shared: boolean
  /** True if a row that will be changed must be locked when it is read (`FOR UPDATE`). */
  readonly locksRows: boolean
  open(): Promise<Pool>
  /** The failure of the driver in words of ours, or undefined if it is none of these. */
  classify(error: unknown): 'unique' | 'unavailable' | undefined
}

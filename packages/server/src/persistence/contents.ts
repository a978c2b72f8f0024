import { sql } from 'kysely'
import type { Session, Transaction } from './database.ts'
import type { SqlValue } from './dialects/dialect.ts'
import { erase } from './erase.ts'
import { settings } from './settings.ts'
import { type StatementSpec, unplanned, type Values } from './statement.ts'
import { worldTables } from './world-tables.ts'

type Row = Readonly<Record<string, SqlValue>>

/** The contents of a world by table, excluding the world's keys. */
export interface Contents {
  readonly tables: ReadonlyMap<string, readonly Row[]>
  readonly settings: ReadonlyMap<string, string>
}

/** The settings that are copied with a world's contents. */
const carried = ['transitions', 'seeded'] as const

const readers = worldTables.map((table) => ({ table, rows: readerOf(table) }))

/** Reads all contents in a single transaction, which keeps them consistent. */
export async function readContents(transaction: Transaction): Promise<Contents> {
  const tables = new Map<string, readonly Row[]>()
  for (const { table, rows } of readers) {
    const found = await transaction.all(rows, {})
    tables.set(
      table,
      found.map((row) => ({ ...row })),
    )
  }
  const kept = new Map<string, string>()
  for (const name of carried) {
    const value = await settings.get(transaction, name)
    if (value !== undefined) kept.set(name, value)
  }
  return { tables, settings: kept }
}

export async function writeContents(transaction: Transaction, contents: Contents): Promise<void> {
  await erase(transaction)
  for (const [table, rows] of contents.tables) await insertAll(transaction, table, rows)
  for (const name of carried) {
    const value = contents.settings.get(name)
    if (value === undefined) await settings.remove(transaction, name)
    else await settings.set(transaction, name, value)
  }
}

/** Returns a statement that intentionally reads a whole table. The query plan test skips this statement. */
function readerOf(table: string): StatementSpec<Record<never, never>, Row> {
  const query = sql<Row>`select * from ${sql.table(table)}`
  return unplanned((db) => ({ compile: () => query.compile(db) }))
}

const writers = new Map<string, StatementSpec<Values, unknown>>()

async function insertAll(session: Session, table: string, rows: readonly Row[]): Promise<void> {
  for (const row of rows) {
    const known = writers.get(table) ?? writerOf(table, Object.keys(row))
    writers.set(table, known)
    await session.all(known, row)
  }
}

function writerOf(table: string, columns: readonly string[]): StatementSpec<Values, unknown> {
  return unplanned((db, $) => {
    const names = sql.join(columns.map((column) => sql.ref(column)))
    const places = sql.join(columns.map((column) => $(column)))
    const query = sql`insert into ${sql.table(table)} (${names}) values (${places})`
    return { compile: () => query.compile(db) }
  })
}

import type { Transaction } from './database.ts'
import { worldTables } from './world-tables.ts'

/** Deletes all data in a world. */
export async function erase(transaction: Transaction): Promise<void> {
  await transaction.execute((db) => worldTables.map((table) => db.deleteFrom(table)))
}

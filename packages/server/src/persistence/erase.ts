import { toldTables } from './belongings.ts'
import type { Transaction } from './database.ts'

/** Empties a world. */
export async function erase(transaction: Transaction): Promise<void> {
  await transaction.execute((db) => toldTables.map((table) => db.deleteFrom(table)))
}

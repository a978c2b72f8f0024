import { type Database, DuplicateError } from './database.ts'
import { type Slots, statement } from './statement.ts'

const insert = statement((db, $: Slots<{ nonce: string; count: number; expiresAt: number }>) =>
  db.insertInto('nonce_uses').values({ nonce: $('nonce'), count: $('count'), expires_at: $('expiresAt') }),
)
const drop = statement((db, $: Slots<{ now: number }>) =>
  db.deleteFrom('nonce_uses').where('expires_at', '<=', $('now')),
)

/** Stores used nonce counts. All processes share the used nonce counts. */
export const nonceUses = {
  /** Stores a count. Returns whether this count is used for the first time with this nonce. */
  async take(database: Database, nonce: string, count: number, expiresAt: number): Promise<boolean> {
    try {
      await database.all(insert, { nonce, count, expiresAt })
      return true
    } catch (error) {
      if (error instanceof DuplicateError) return false
      throw error
    }
  },

  async dropExpired(database: Database, now: number): Promise<void> {
    await database.all(drop, { now })
  },
}

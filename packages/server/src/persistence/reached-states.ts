import type { Session, Transaction } from './database.ts'
import { type Slots, statement } from './statement.ts'

const put = statement((db, $: Slots<{ key: string; at: number }>) =>
  db
    .insertInto('reached_states')
    .values({ key: $('key'), at: $('at') })
    // Another process may have stored the time first.
    .onConflict((conflict) => conflict.column('key').doNothing()),
)
const latest = statement((db, $: Slots<{ limit: number }>) =>
  db.selectFrom('reached_states').select(['key', 'at']).orderBy('at', 'desc').limit($('limit')),
)

/**
 * Reads and writes data for the `reads` transition mode. The data shows when a resource left a state after the number
 * of reads that the mode specifies. These times can't be calculated later.
 */
export const reachedStates = {
  async put(transaction: Transaction, key: string, at: number): Promise<void> {
    await transaction.all(put, { key, at })
  },

  /** Returns the latest entries, oldest first. */
  async latest(session: Session, limit: number): Promise<(readonly [key: string, at: number])[]> {
    const rows = await session.all(latest, { limit })
    return rows.map(({ key, at }) => [key, at] as const).reverse()
  },
}

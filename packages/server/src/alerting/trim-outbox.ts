import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { outboxSize } from '../domain/alert.ts'
import { outbox } from '../persistence/outbox.ts'
import type { World } from '../world/world.ts'

/** The outbox size is checked after this many new notifications. */
const checkInterval = 1000

/** The maximum number of rows to delete per transaction. On SQLite, other writers wait until the transaction ends. */
const batch = 500

/**
 * The number of batches to delete per check. Deleting two rows for each added row gradually shrinks an
 * oversized outbox.
 */
const batchesPerCheck = (2 * checkInterval) / batch

/**
 * Deletes the oldest notifications from time to time. Otherwise, a long-running server's outbox would grow without
 * limit.
 *
 * @param before The value of `noticeIds.created()` from before the new notifications were added.
 */
export async function trimOutbox(world: World, before: number): Promise<void> {
  const checks = Math.floor(world.noticeIds.created() / checkInterval) - Math.floor(before / checkInterval)
  for (let left = checks * batchesPerCheck; left > 0; left -= 1) {
    if ((await removeBatch(world)) < batch) return
    await yieldToEventLoop()
  }
}

const removeBatch = ({ database }: World): Promise<number> =>
  database.transaction((transaction) => outbox.removeBeyond(transaction, outboxSize, batch))

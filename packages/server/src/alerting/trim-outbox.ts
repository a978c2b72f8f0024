import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { outboxSize } from '../domain/alert.ts'
import { outbox } from '../persistence/outbox.ts'
import type { World } from '../world/world.ts'

/** Number of new notifications between two checks of the outbox size. */
const checkInterval = 1000

/**
 * The maximum number of rows to delete per transaction. The limit is low, because an open transaction blocks other
 * writers on SQLite.
 */
const batch = 500

/**
 * The number of batches to delete per check. Each check deletes twice as many rows as were added since the last check,
 * so an oversized outbox gradually shrinks.
 */
const batchesPerCheck = (2 * checkInterval) / batch

/**
 * Periodically deletes the oldest notifications to limit the size of the outbox.
 *
 * @param before The value of `noticeIds.created()` before the latest notifications were added.
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

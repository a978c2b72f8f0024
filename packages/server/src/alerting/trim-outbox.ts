import { setImmediate as othersTurn } from 'node:timers/promises'
import { outboxSize } from '../domain/alert.ts'
import { outbox } from '../persistence/outbox.ts'
import type { World } from '../world/world.ts'

/** How many go out until it is looked whether there are too many. */
const checkInterval = 1000

/** How many one transaction removes: others wait for it on SQLite. */
const batch = 500

/** Twice as many as go out, so that an outbox that was too large grows small, and nobody waits for all of that. */
const batchesPerCheck = (2 * checkInterval) / batch

/**
 * Lets go of the oldest notifications, once in a while: a server whose alerts ring for years would be filled by what
 * nobody can look at.
 *
 * @param before how many notices had been made when it was asked last.
 */
export async function trimOutbox(world: World, before: number): Promise<void> {
  const looks = Math.floor(world.noticeIds.created() / checkInterval) - Math.floor(before / checkInterval)
  for (let left = looks * batchesPerCheck; left > 0; left -= 1) {
    if ((await removeBatch(world)) < batch) return
    await othersTurn()
  }
}

const removeBatch = ({ database }: World): Promise<number> =>
  database.transaction((transaction) => outbox.removeBeyond(transaction, outboxSize, batch))

import { setImmediate as othersTurn } from 'node:timers/promises'
import { outboxSize } from '../domain/alert.ts'
import { outbox } from '../persistence/outbox.ts'
import type { World } from '../world/world.ts'

/** How many go out until it is looked whether there are too many. */
const lookEvery = 1000

/** How many one transaction removes: others wait for it on SQLite. */
const batch = 500

/** Twice as many as go out, so that an outbox that was too large grows small, and nobody waits for all of that. */
const batchesForALook = (2 * lookEvery) / batch

/**
 * Lets go of the oldest notifications, once in a while: a server whose alerts ring for years would be filled by what
 * nobody can look at.
 *
 * @param before how many notices had been made when it was asked last.
 */
export async function keepOutboxSmall(world: World, before: number): Promise<void> {
  const looks = Math.floor(world.noticeIds.made() / lookEvery) - Math.floor(before / lookEvery)
  for (let left = looks * batchesForALook; left > 0; left -= 1) {
    if ((await removeBatch(world)) < batch) return
    await othersTurn()
  }
}

const removeBatch = ({ database }: World): Promise<number> =>
  database.transaction((transaction) => outbox.removeBeyond(transaction, outboxSize, batch))

import { timestamp } from '../domain/timestamp.ts'
import { type Contents, readContents, writeContents } from '../persistence/contents.ts'
import { deliveries } from '../persistence/deliveries.ts'
import type { ClockReading } from '../world/clock.ts'
import { retryAfterRewind } from '../world/fenced-world.ts'
import {
  clearTenantCaches,
  type GeneratorPosition,
  positionOf,
  seekPosition,
  voidNonces,
  type World,
} from '../world/world.ts'

/** The state of a world at a point in time, which consists of its contents, its clock and its random generator. */
export interface WorldSnapshot {
  readonly contents: Contents
  readonly clock: ClockReading
  readonly position: GeneratorPosition
}

/** Takes a snapshot of a running world. */
export function snapshotOf(world: World): Promise<WorldSnapshot> {
  // Read everything in one transaction, so that the contents, the clock and the random generator match.
  return retryAfterRewind(world, ({ database, clock }) =>
    database.transaction(async (transaction) => ({
      contents: await readContents(transaction),
      clock: await clock.read(transaction),
      position: positionOf(world),
    })),
  )
}

/**
 * Restores a world from a snapshot, or turns it into a copy of another world. Copies don't send pending webhooks,
 * because each webhook would otherwise be sent twice.
 */
export async function restoreInto(
  world: World,
  snapshot: WorldSnapshot,
  as: 'itself' | 'copy',
): Promise<void> {
  // Make both changes in one transaction.
  // Otherwise, a request could process alerts with the previous clock, and these alerts could have times in the future.
  const whenRestored = await world.database.transaction(async (transaction) => {
    await writeContents(transaction, snapshot.contents)
    // Clear the clock's previous state, even if the clock isn't set back.
    await world.clock.reset(transaction)
    await world.clock.set(snapshot.clock, transaction)
    if (as === 'copy') {
      const at = timestamp(snapshot.clock.now)
      await deliveries.abandon(transaction, {
        at,
        error: 'This world is a copy, and only the original world sends this message',
      })
    }
    return world.sandbox?.transitions.load(transaction)
  })
  whenRestored?.()
  clearTenantCaches(world)
  // Invalidate all nonces. Otherwise, used nonces would become valid again if the clock is set back.
  voidNonces(world)
  seekPosition(world, snapshot.position)
}

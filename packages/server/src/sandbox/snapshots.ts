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
  // All parts must be from the same time. Otherwise, the contents could be newer than the clock or the random
  // generator.
  return retryAfterRewind(world, ({ database, clock }) =>
    database.transaction(async (transaction) => ({
      contents: await readContents(transaction),
      clock: await clock.read(transaction),
      position: positionOf(world),
    })),
  )
}

/**
 * Restores a world to a snapshot, or turns it into a copy of another world. Pending webhooks aren't copied,
 * because the copy would send them a second time.
 */
export async function restoreInto(
  world: World,
  snapshot: WorldSnapshot,
  as: 'itself' | 'copy',
): Promise<void> {
  // Both changes are made in one transaction. Otherwise, alerts that were processed with the previous clock would be in
  // the future.
  const whenRestored = await world.database.transaction(async (transaction) => {
    await writeContents(transaction, snapshot.contents)
    // The previous state of the clock is cleared, even if the clock isn't set back.
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
  // Used nonces would become valid again if the clock is set back, so all nonces are invalidated.
  voidNonces(world)
  seekPosition(world, snapshot.position)
}

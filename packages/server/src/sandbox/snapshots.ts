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

/** A world's state at one time: its contents, clock and random generator. */
export interface WorldSnapshot {
  readonly contents: Contents
  readonly clock: ClockReading
  readonly position: GeneratorPosition
}

/** Takes a snapshot of a running world. */
export function snapshotOf(world: World): Promise<WorldSnapshot> {
  // All parts must be from the same time. With an older clock or random generator, the contents could be from
  // the future.
  return retryAfterRewind(world, ({ database, clock }) =>
    database.transaction(async (transaction) => ({
      contents: await readContents(transaction),
      clock: await clock.read(transaction),
      position: positionOf(world),
    })),
  )
}

/**
 * Restores a world to a snapshot, or continues it as a copy of another world. Pending webhooks stay with the
 * original world, because a copy would send them twice.
 */
export async function restoreInto(
  world: World,
  snapshot: WorldSnapshot,
  as: 'itself' | 'copy',
): Promise<void> {
  // One transaction for both. Alerts settled by the previous clock would be in the future.
  const whenRestored = await world.database.transaction(async (transaction) => {
    await writeContents(transaction, snapshot.contents)
    // Clears earlier state, whether or not time goes back.
    await world.clock.reset(transaction)
    await world.clock.set(snapshot.clock, transaction)
    if (as === 'copy') {
      const at = timestamp(snapshot.clock.now)
      await deliveries.abandon(transaction, { at, error: 'The original world sends this message' })
    }
    return world.sandbox?.transitions.load(transaction)
  })
  whenRestored?.()
  clearTenantCaches(world)
  // A clock that goes back would make used nonces valid a second time.
  voidNonces(world)
  seekPosition(world, snapshot.position)
}

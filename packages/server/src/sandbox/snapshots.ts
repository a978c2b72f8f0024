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

/** All that a world was at a moment: what it holds, its clock, its chance. */
export interface WorldSnapshot {
  readonly contents: Contents
  readonly clock: ClockReading
  readonly position: GeneratorPosition
}

/** Takes a snapshot of a world, which goes on meanwhile. */
export function snapshotOf(world: World): Promise<WorldSnapshot> {
  // All of it of one moment: by the clock of another, or its chance, the contents could be ahead of their time.
  return retryAfterRewind(world, ({ database, clock }) =>
    database.transaction(async (transaction) => ({
      contents: await readContents(transaction),
      clock: await clock.read(transaction),
      position: positionOf(world),
    })),
  )
}

/**
 * Puts a world back to what it was at a snapshot, or has it go on as a copy of another world. What was on its way to
 * receivers stays with the world that sent it: from a copy it would arrive twice.
 */
export async function restoreInto(
  world: World,
  snapshot: WorldSnapshot,
  as: 'itself' | 'copy',
): Promise<void> {
  // Both or neither: alerts that are settled by the clock of before would be ahead of their time.
  const whenRestored = await world.database.transaction(async (transaction) => {
    await writeContents(transaction, snapshot.contents)
    // To what was before, whether or not time goes back.
    await world.clock.reset(transaction)
    await world.clock.set(snapshot.clock, transaction)
    if (as === 'copy') {
      const at = timestamp(snapshot.clock.now)
      await deliveries.abandon(transaction, { at, error: 'The world that this one is a copy of sends it' })
    }
    return world.sandbox?.transitions.load(transaction)
  })
  whenRestored?.()
  clearTenantCaches(world)
  // A clock that goes back would make nonces valid a second time.
  voidNonces(world)
  seekPosition(world, snapshot.position)
}

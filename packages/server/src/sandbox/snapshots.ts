import { type Contents, readContents, writeContents } from '../persistence/contents.ts'
import type { ClockReading } from '../world/clock.ts'
import {
  forgetNonces,
  forgetTenants,
  type Position,
  positionOf,
  seekPosition,
  type World,
} from '../world/world.ts'

/** All that a world was at a moment: what it holds, its clock, its chance. */
export interface WorldSnapshot {
  readonly contents: Contents
  readonly clock: ClockReading
  readonly position: Position
}

/** Takes a snapshot of a world, which goes on meanwhile. */
export async function snapshotOf(world: World): Promise<WorldSnapshot> {
  return {
    contents: await world.database.transaction(readContents),
    clock: await world.clock.read(),
    position: positionOf(world),
  }
}

/** Puts a world back, or another one in its place, to what a snapshot says. */
export async function restoreInto(world: World, snapshot: WorldSnapshot): Promise<void> {
  // Both or neither: alerts that are settled by the clock of before would be ahead of their time.
  await world.database.transaction(async (transaction) => {
    await writeContents(transaction, snapshot.contents)
    // To what was before, whether or not time goes back.
    await world.clock.reset(transaction)
    await world.clock.set(snapshot.clock, transaction)
  })
  await world.sandbox?.transitions.load()
  forgetTenants(world)
  // A clock that goes back would make nonces valid a second time.
  forgetNonces(world)
  seekPosition(world, snapshot.position)
}

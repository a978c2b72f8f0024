import type { Transaction } from '../persistence/database.ts'
import type { World } from '../world/world.ts'

/** The objects that are needed while a world is being seeded. */
export interface Seeding {
  readonly world: World
  readonly transaction: Transaction
  readonly now: number
}

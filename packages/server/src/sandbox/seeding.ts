import type { Transaction } from '../persistence/database.ts'
import type { World } from '../world/world.ts'

/** The objects needed to seed a world. */
export interface Seeding {
  readonly world: World
  readonly transaction: Transaction
  readonly now: number
}

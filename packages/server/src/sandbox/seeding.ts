import type { Transaction } from '../persistence/database.ts'
import type { World } from '../world/world.ts'

/** The state during the seeding of a world. */
export interface Seeding {
  readonly world: World
  readonly transaction: Transaction
  readonly now: number
}

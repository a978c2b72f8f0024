import type { Transaction } from '../persistence/database.ts'
import type { World } from '../world/world.ts'

/** The state of seeding into a world. */
export interface Seeding {
  readonly world: World
  readonly transaction: Transaction
  readonly now: number
}

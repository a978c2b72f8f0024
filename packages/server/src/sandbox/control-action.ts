import type { World } from '../world/world.ts'
import type { Worlds } from './worlds.ts'

/** An action in the control interface. Each action must validate its request body. */
export type ControlAction = (world: World, body: unknown, means: ControlContext) => Promise<unknown>

/** The data that an action needs in addition to the world. */
export interface ControlContext {
  /** Sends a world's due webhooks and returns the number of attempts. */
  readonly deliver: () => Promise<number>
  readonly worlds: Worlds
  /** The ID of the world that the action applies to. */
  readonly worldId: string
  /** Returns a world's URLs. */
  addressesOf(id: string): { readonly url: string; readonly controlUrl: string }
  parameter(name: string): string
  query(name: string): string | undefined
}

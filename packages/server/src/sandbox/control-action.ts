import type { World } from '../world/world.ts'
import type { Worlds } from './worlds.ts'

/** An action in the control interface. The body hasn't been validated. */
export type ControlAction = (world: World, body: unknown, means: ControlContext) => Promise<unknown>

/** What an action needs, apart from the world. */
export interface ControlContext {
  /** Sends all of the world's due webhooks, and returns the number of attempts. */
  readonly deliver: () => Promise<number>
  readonly worlds: Worlds
  /** The ID of the world that the action changes. */
  readonly worldId: string
  /** Returns a world's URLs. */
  addressesOf(id: string): { readonly url: string; readonly controlUrl: string }
  /** Returns a path parameter. */
  parameter(name: string): string
  /** Returns a query parameter. */
  query(name: string): string | undefined
}

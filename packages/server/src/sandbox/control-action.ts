import type { World } from '../world/world.ts'
import type { Worlds } from './worlds.ts'

/** An action of the control interface. The body is unvalidated. */
export type ControlAction = (world: World, body: unknown, means: ControlContext) => Promise<unknown>

/** What an action may use in addition to the world. */
export interface ControlContext {
  /** Sends all webhooks of the world that are due; returns the number of attempts. */
  readonly deliver: () => Promise<number>
  readonly worlds: Worlds
  /** ID of the world that the action changes. */
  readonly worldId: string
  /** Returns the URLs of a world. */
  addressesOf(id: string): { readonly url: string; readonly controlUrl: string }
  /** Returns a path parameter. */
  parameter(name: string): string
  /** Returns a query parameter. */
  query(name: string): string | undefined
}

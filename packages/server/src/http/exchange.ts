import type { IncomingMessage } from 'node:http'
import type { Principal } from '../auth/principals.ts'
import type { Paging, RequestScope } from '../operations/operation.ts'
import type { ServerOptions } from '../options.ts'
import type { FaultEffect } from '../world/faults.ts'
import type { World } from '../world/world.ts'
import type { Route, RouteVersion } from './route-table.ts'

/** One request on its way through the steps, each of which adds what it found. */
export interface Exchange {
  readonly id: string
  readonly raw: IncomingMessage
  /** The request target as it was sent, with the world in front. */
  readonly target: string
  readonly route: Route
  readonly world: World
  readonly options: ServerOptions
  /** The address that this caller reaches the server at, without a final slash. */
  readonly baseUrl: string
  /** Address of the caller. */
  readonly address: string
  readonly path: Readonly<Record<string, string>>
  /** Parameters of the path that hold what is not percent-encoded UTF-8, as it was sent. */
  readonly undecoded: readonly string[]
  /** When the API began with it, and how often its world had gone back by then. */
  now: number
  turns: number
  /** The query as sent. */
  readonly search: string
  readonly shape: { readonly envelope: boolean; readonly pretty: boolean }
  principal: Principal
  version: RouteVersion
  scope: RequestScope
  query: Record<string, unknown>
  paging: Paging
  body: unknown
  /** What goes wrong on purpose. */
  fault: FaultEffect | undefined
  /** Tells what of the input nobody has looked at, where that is watched. */
  unread: () => readonly string[]
  /** Headers that the answer carries, whatever it is. */
  readonly headers: Record<string, string>
}

/** One check of a request. It throws a problem, or adds to the exchange. */
export interface Step {
  readonly name: string
  readonly run: (exchange: Exchange) => void | Promise<void>
}

/** A caller who has not shown who he is: he may nothing. */
export const nobody: Principal = {
  kind: 'api-key',
  id: '',
  grants: [],
  accessList: { allows: () => false },
  kept: '',
}

export const nowhere: RequestScope = { orgId: '', groupId: '' }

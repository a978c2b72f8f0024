import type { IncomingMessage } from 'node:http'
import type { Principal } from '../auth/principals.ts'
import type { Paging, RequestScope } from '../operations/operation.ts'
import type { ServerOptions } from '../options.ts'
import type { FaultEffect } from '../world/faults.ts'
import type { World } from '../world/world.ts'
import type { Route, RouteVersion } from './route-table.ts'

/** The state of one request. Each step of the pipeline adds to it. */
export interface RequestContext {
  readonly id: string
  readonly raw: IncomingMessage
  /** The request target as sent, with the world's prefix. */
  readonly target: string
  readonly route: Route
  readonly world: World
  readonly options: ServerOptions
  /** Base URL for links to this caller, without a trailing slash. */
  readonly baseUrl: string
  /** IP address of the caller. */
  readonly address: string
  readonly path: Readonly<Record<string, string>>
  /** Path parameters that aren't percent-encoded UTF-8. `path` has them as sent. */
  readonly undecoded: readonly string[]
  /** World time at the start of the request, in milliseconds since the epoch. */
  now: number
  /** The world's rewind count at the start of the request. */
  rewinds: number
  /** The query string as sent. */
  readonly search: string
  readonly format: { readonly envelope: boolean; readonly pretty: boolean }
  principal: Principal
  version: RouteVersion
  scope: RequestScope
  query: Record<string, unknown>
  paging: Paging
  body: unknown
  /** The fault to inject. */
  fault: FaultEffect | undefined
  /** Returns the parts of the input that the operation didn't read, if reads are tracked. */
  unread: () => readonly string[]
  /** Headers for every response, including errors. */
  readonly headers: Record<string, string>
}

/** One step of request processing. It throws a problem or adds to the context. */
export interface Step {
  readonly name: string
  readonly run: (context: RequestContext) => void | Promise<void>
}

/** Unauthenticated: no permissions. */
export const anonymous: Principal = {
  kind: 'api-key',
  id: '',
  grants: [],
  accessList: { allows: () => false },
  secretHash: '',
}

export const noScope: RequestScope = { orgId: '', groupId: '' }

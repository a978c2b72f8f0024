import type { IncomingMessage } from 'node:http'
import type { Principal } from '../auth/principals.ts'
import type { Paging, RequestScope } from '../operations/operation.ts'
import type { ServerOptions } from '../options.ts'
import type { FaultEffect } from '../world/faults.ts'
import type { World } from '../world/world.ts'
import type { Route, RouteVersion } from './route-table.ts'

/** The state of a request. Each step in the pipeline can add data to the state. */
export interface RequestContext {
  readonly id: string
  readonly raw: IncomingMessage
  /** The request target as the client sent it, including the world's prefix. */
  readonly target: string
  readonly route: Route
  readonly world: World
  readonly options: ServerOptions
  /** The base URL for links in the response, without a trailing slash. */
  readonly baseUrl: string
  readonly address: string
  readonly path: Readonly<Record<string, string>>
  /**
   * The names of path parameters that aren't percent-encoded UTF-8. For these parameters, `path` contains the text that
   * the client sent.
   */
  readonly undecoded: readonly string[]
  /** The world's time when the request started, in milliseconds since the Unix epoch. */
  now: number
  /** The world's rewind count when the request started. */
  rewinds: number
  readonly search: string
  readonly format: { readonly envelope: boolean; readonly pretty: boolean }
  principal: Principal
  version: RouteVersion
  scope: RequestScope
  query: Record<string, unknown>
  paging: Paging
  body: unknown
  /** The fault to inject, if any. */
  fault: FaultEffect | undefined
  /** Returns the parts of the input that the operation hasn't read. Always empty unless the world tracks reads. */
  unread: () => readonly string[]
  /** The headers for every response, including errors. */
  readonly headers: Record<string, string>
}

/** A step of request processing, which adds data to the context or throws a problem. */
export interface Step {
  readonly name: string
  readonly run: (context: RequestContext) => void | Promise<void>
}

/** The principal for a request without authentication, which has no permissions. */
export const anonymous: Principal = {
  kind: 'api-key',
  id: '',
  grants: [],
  accessList: { allows: () => false },
  secretHash: '',
}

export const noScope: RequestScope = { orgId: '', groupId: '' }

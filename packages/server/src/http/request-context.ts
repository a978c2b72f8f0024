import type { IncomingMessage } from 'node:http'
import type { Principal } from '../auth/principals.ts'
import type { Paging, RequestScope } from '../operations/operation.ts'
import type { ServerOptions } from '../options.ts'
import type { FaultEffect } from '../world/faults.ts'
import type { World } from '../world/world.ts'
import type { Route, RouteVersion } from './route-table.ts'

/** The state of a request, which each step of the pipeline extends. */
export interface RequestContext {
  readonly id: string
  readonly raw: IncomingMessage
  /** The request target as sent by the client, including the world's prefix. */
  readonly target: string
  readonly route: Route
  readonly world: World
  readonly options: ServerOptions
  /** The base URL for links in the response, without a trailing slash. */
  readonly baseUrl: string
  readonly address: string
  readonly path: Readonly<Record<string, string>>
  /**
   * The names of path parameters that aren't percent-encoded UTF-8. `path` contains the raw text of these parameters.
   */
  readonly undecoded: readonly string[]
  /** The world's time when the request started, in milliseconds since the Unix epoch. */
  now: number
  /** The number of times that the world had been rewound before the request started. */
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
  /**
   * Returns the input fields that the operation hasn't read. If the world doesn't track reads, returns an empty list.
   */
  unread: () => readonly string[]
  /** The response headers, which error responses also contain. */
  readonly headers: Record<string, string>
}

/** A step in the processing of a request. Each step either adds data to the request context or throws a problem. */
export interface Step {
  readonly name: string
  readonly run: (context: RequestContext) => void | Promise<void>
}

/** The principal of requests without credentials, which has no permissions. */
export const anonymous: Principal = {
  kind: 'api-key',
  id: '',
  grants: [],
  accessList: { allows: () => false },
  secretHash: '',
}

export const noScope: RequestScope = { orgId: '', groupId: '' }

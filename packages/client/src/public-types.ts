import type { Client as OpenapiFetchClient } from 'openapi-fetch'
import type { Lifecycles } from '#api'
import type { CallOptions } from './options.ts'
import type { WaitOptions } from './wait-for.ts'

export type { Call, Failure, Success } from './call.ts'
export type { OperationRow } from './operation-row.ts'
export type { CallOptions } from './options.ts'
export type { VersionRow } from './version.ts'
export type { Lifecycle } from './wait-for.ts'

/** Settings of `toArray`. */
export interface ArrayOptions extends CallOptions {
  /** Items that are enough; reading stops there. */
  readonly limit?: number
}

/** Calls by method and path, typed as openapi-fetch types them. */
export type PathClient<Paths extends object> = Pick<
  OpenapiFetchClient<Paths>,
  'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'
>

/** Waits for a state of a lifecycle, and gives up at once in a state that cannot lead there; see `waitFor`. */
export type WaitFor = <Id extends keyof Lifecycles, T>(
  lifecycle: Id,
  read: () => PromiseLike<T>,
  options: WaitOptions<T, Lifecycles[Id]>,
) => Promise<T>

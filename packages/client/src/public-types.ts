import type { Lifecycles } from '#api'
import type { AnswerResponse } from './call.ts'
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

/** What a call by path answers where the server did as it was asked. */
export interface PathSuccess<T> {
  readonly data: T
  readonly error?: undefined
  readonly response: AnswerResponse
}

/** What a call by path answers where the server refused. */
export interface PathFailure<E> {
  readonly data?: undefined
  readonly error: E
  readonly response: AnswerResponse
}

/** A call by path under way. As with openapi-fetch it throws only what is no answer of the server. */
export type PathAnswer<T, E> = Promise<PathSuccess<T> | PathFailure<E>>

/** Waits for a state of a lifecycle, and gives up at once in a state that cannot lead there; see `waitFor`. */
export type WaitFor = <Id extends keyof Lifecycles, T>(
  lifecycle: Id,
  read: () => PromiseLike<T>,
  options: WaitOptions<T, Lifecycles[Id]>,
) => Promise<T>

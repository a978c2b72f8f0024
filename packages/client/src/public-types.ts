import type { LifecycleFields, Lifecycles } from '#api'
import type { ResponseReply } from './call.ts'
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
  readonly limit?: number | undefined
}

/** What a call by path answers where the server did as it was asked. */
export interface PathSuccess<T> {
  readonly data: T
  readonly error?: undefined
  readonly response: ResponseReply
}

/** What a call by path answers where the server refused. */
export interface PathFailure<E> {
  readonly data?: undefined
  readonly error: E
  readonly response: ResponseReply
}

/**
 * A call by path under way. As with openapi-fetch it throws only what is no answer of the server to it: also what kept it
 * from a token.
 */
export type PathResponse<T, E> = Promise<PathSuccess<T> | PathFailure<E>>

/** Waits for a state of a lifecycle, and gives up at once in a state that cannot lead there; see `waitFor`. */
export type WaitFor = <Id extends keyof Lifecycles, T>(
  lifecycle: Id,
  read: (signal: AbortSignal) => PromiseLike<T & InLifecycle<Id, T>>,
  options: WaitOptions<T, Lifecycles[Id]>,
) => Promise<T>

/** The states that are named in a type of texts, without its open end. */
type Named<Text> = Text extends string ? (string extends Text ? never : Text) : never

/** Anything, where the resource has the field of the lifecycle and names no state of another one; else what it lacks. */
type InLifecycle<Id extends keyof Lifecycles, T> = [Named<StateOf<Id, NonNullable<T>>>] extends [
  Named<Lifecycles[Id]>,
]
  ? unknown
  : { readonly [Field in LifecycleFields[Id]]: Named<Lifecycles[Id]> }

type StateOf<Id extends keyof Lifecycles, T> = LifecycleFields[Id] extends keyof T
  ? T[LifecycleFields[Id]]
  : 'no such field'

/**
 * A kind that the documents do not list, in an answer. It is text that equals none of the listed ones, so that a
 * comparison with one of those tells the kinds apart; of all types of texts only an enumeration is known to differ from
 * them. A kind that you know yourself is compared as text: `String(notification.typeName) === 'NEW_KIND'`.
 */
declare enum OtherKind {
  notListed = 'not listed',
}

export type { OtherKind }

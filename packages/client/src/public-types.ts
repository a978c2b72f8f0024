import type { LifecycleFields, Lifecycles } from '#api'
import type { CallOptions } from './options.ts'
import type { WaitOptions } from './wait-for.ts'

export type { Call, Failure, Success } from './call.ts'
export type { OperationRow } from './operation-row.ts'
export type { CallOptions } from './options.ts'
export type { VersionRow } from './version.ts'
export type { Lifecycle } from './wait-for.ts'

/** A documented error code, with its status, the reason phrase, and an example detail. */
export interface ErrorRow {
  readonly status: number
  readonly reason: string
  readonly detail: string
  readonly parameters?: readonly string[]
}

/** Options for `toArray`. */
export interface ArrayOptions extends CallOptions {
  /** The maximum number of items in the array. The client stops reading when it has this many items. */
  readonly limit?: number | undefined
}

/** Waits for a lifecycle state. Throws if the state can no longer be reached. See `waitFor`. */
export type WaitFor = <Id extends keyof Lifecycles, T>(
  lifecycle: Id,
  read: (signal: AbortSignal) => PromiseLike<T & InLifecycle<Id, T>>,
  options: WaitOptions<T, Named<Lifecycles[Id]>>,
) => Promise<T>

/** Extracts a type's string literals, without the `string & {}` that allows any other string. */
type Named<Text> = Text extends string ? (string extends Text ? never : Text) : never

/**
 * Resolves to `unknown` if the resource has the lifecycle's state field and all values of that field are states of the
 * lifecycle. Otherwise, resolves to the missing field so that the call doesn't compile.
 */
type InLifecycle<Id extends keyof Lifecycles, T> = [Named<StateOf<Id, NonNullable<T>>>] extends [
  Named<Lifecycles[Id]>,
]
  ? unknown
  : { readonly [Field in LifecycleFields[Id]]: Named<Lifecycles[Id]> }

type StateOf<Id extends keyof Lifecycles, T> = LifecycleFields[Id] extends keyof T
  ? T[LifecycleFields[Id]]
  : 'no such field'

/**
 * An undocumented value in a response. The type is a string that differs from all documented values, so a
 * comparison with a documented value narrows the type. In TypeScript, only an enum makes this possible.
 * Compare other values as strings: `String(notification.typeName) === 'NEW_KIND'`.
 */
declare enum OtherKind {
  notListed = 'not listed',
}

export type { OtherKind }

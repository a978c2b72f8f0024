import type { operations } from '@svc-admin/types/newest'

/** The operations in the newest version. */
export type Newest = operations

export type ValueOf<T> = T[keyof T]
export type PathOf<O> = O extends { parameters: { path: infer P } } ? P : Record<never, never>
export type QueryOf<O> = O extends { parameters: { query?: infer Q } } ? NonNullable<Q> : Record<never, never>
export type BodyOf<O> = O extends { requestBody: { content: infer C } } ? ValueOf<C> : undefined

import type { OperationId } from '@svc-admin/types'
import type { Principal } from '../auth/principals.ts'
import type { Stored } from '../domain/stored.ts'
import type { ServerOptions } from '../options.ts'
import type { LinkText } from '../persistence/page-text.ts'
import type { BodyOf, Newest, PathOf, QueryOf, ValueOf } from '../specification/operation-types.ts'
import type { World } from '../world/world.ts'
import type {
  ArrayResponse,
  EmptyResponse,
  ItemLinks,
  LinkTarget,
  ListResponse,
  ListsResponse,
  PageItem,
  PageResponse,
  Response,
} from './response.ts'

export interface Paging {
  readonly limit: number
  /** The page number, which isn't limited. `offset` is limited for a page far beyond the end of the list. */
  readonly page: number
  readonly offset: number
  /** True if the caller needs the total. */
  readonly counted: boolean
  /**
   * Returns the link text for items, or undefined if the requested version requires converting the stored
   * documents.
   */
  readonly linkTo: (items: ItemLinks) => LinkText | undefined
}

/** The organization and project of a request, which are set during authorization. */
export interface RequestScope {
  readonly orgId: string
  readonly groupId: string
}

/** The input for all operations. */
export interface AnyInput {
  readonly world: World
  readonly options: ServerOptions
  /** The time of the request. Use this time for all calculations during the request. */
  readonly now: number
  readonly principal: Principal
  readonly scope: RequestScope
  readonly paging: Paging
  readonly path: unknown
  readonly query: unknown
  readonly body: unknown
}

type Success<R> = R extends { 200: infer S } ? S : R extends { 201: infer S } ? S : never
type ContentOf<O> = O extends { responses: infer R }
  ? Success<R> extends { content: infer C }
    ? ValueOf<C>
    : never
  : never

/** An operation's input in the newest version. Requests in older versions are converted first. */
export interface OperationInput<K extends OperationId> extends AnyInput {
  readonly path: PathOf<Newest[K]>
  readonly query: QueryOf<Newest[K]>
  readonly body: BodyOf<Newest[K]>
}

/** A resource without its `links`, which are added to the response later. */
export type WithoutLinks<T> = Omit<T, 'links'>

/** An operation's response, as the newest document defines it. */
export type ResponseOf<K extends OperationId> = ResponseFor<ContentOf<Newest[K]>>
type ResponseFor<C> = [C] extends [never]
  ? EmptyResponse
  : C extends { results: readonly (infer Item)[] }
    ? PageResponse<WithoutLinks<Item>>
    : C extends readonly (infer Item)[]
      ? Item extends Linked
        ? ListResponse<WithoutLinks<Item>>
        : ArrayResponse & { values: C }
      : [ListNames<C>] extends [never]
        ? { kind: 'resource'; document: Stored<WithoutLinks<C>>; self: LinkTarget | undefined }
        : ListsResponse<{ readonly [K in ListNames<C>]: readonly PageItem<WithoutLinks<ItemOf<C[K]>>>[] }>

type Linked = { links: unknown }
type ItemOf<L> = NonNullable<L> extends readonly (infer Item)[] ? Item : never
/** The names of the fields in a resource that contain lists of resources. */
type ListNames<C> = {
  [K in keyof C & string]-?: NonNullable<C[K]> extends readonly Linked[] ? K : never
}[keyof C & string]

export interface OperationModule {
  readonly id: OperationId
  handle(input: AnyInput): Promise<Response>
}

/**
 * Declares an operation's handler. The method, path, roles, validation and versions come from the
 * specification. The file's name must be the operation ID.
 *
 * @example
 * ```ts
 * export default operation('getAlert', async ({ world, path }) => …)
 * ```
 */
export function operation<K extends OperationId>(
  id: K,
  handle: (input: OperationInput<K>) => Promise<ResponseOf<K>>,
): { readonly id: K; handle(input: OperationInput<K>): Promise<ResponseOf<K>> } {
  return { id, handle }
}

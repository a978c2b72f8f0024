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
  /** The page number, without an upper limit. For pages far beyond the end of the list, `offset` is capped. */
  readonly page: number
  readonly offset: number
  /** Whether the caller needs the total number of items. */
  readonly counted: boolean
  /**
   * Returns the start and end of the `self` link for items, or undefined if stored documents must be converted to the
   * requested version.
   */
  readonly linkTo: (items: ItemLinks) => LinkText | undefined
}

/** The organization and project of a request, which are determined during authorization. */
export interface RequestScope {
  readonly orgId: string
  readonly groupId: string
}

/** The input shared by all operations. */
export interface AnyInput {
  readonly world: World
  readonly options: ServerOptions
  /** The time of the request. Use this time for all calculations, because the clock continues to run. */
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

/** An operation's input in the newest version. Requests in older versions are first converted to the newest version. */
export interface OperationInput<K extends OperationId> extends AnyInput {
  readonly path: PathOf<Newest[K]>
  readonly query: QueryOf<Newest[K]>
  readonly body: BodyOf<Newest[K]>
}

/** A resource without `links`, because the links are added when the response is rendered. */
export type WithoutLinks<T> = Omit<T, 'links'>

/** An operation's response, as defined in the newest document. */
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
/** The names of a resource's fields that contain lists of other resources. */
type ListNames<C> = {
  [K in keyof C & string]-?: NonNullable<C[K]> extends readonly Linked[] ? K : never
}[keyof C & string]

export interface OperationModule {
  readonly id: OperationId
  handle(input: AnyInput): Promise<Response>
}

/**
 * Declares the handler of an operation. The specification determines the method, path, roles, validation and versions.
 * The name of the file must be the operation ID.
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

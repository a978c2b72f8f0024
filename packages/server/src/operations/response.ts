import type { OperationId, operations } from '@svc-admin/types'
import type { Stored } from '../domain/stored.ts'
import type { PageText } from '../persistence/page-text.ts'

type Row<K extends OperationId> = (typeof operations)[K]

/** The values of an operation's path parameters. */
export type PathValues<K extends OperationId> = Readonly<Record<Row<K>['pathParameters'][number], string>>

/** The target of a link: an operation and the values of its path parameters. */
export interface LinkTarget {
  readonly operationId: OperationId
  readonly values: Readonly<Record<string, string>>
}

/** The link targets for the items in a list. They differ in one path parameter. */
export interface ItemLinks extends LinkTarget {
  readonly varying: string
}

/**
 * The result of an operation, which the `http` layer renders. The result has no `links`, because they depend on the
 * address and version of the request.
 */
export type Response =
  | ResourceResponse
  | PageResponse
  | ListResponse
  | ListsResponse
  | ArrayResponse
  | EmptyResponse

export interface ResourceResponse {
  readonly kind: 'resource'
  /** The document has no `links`, because they depend on the address and version of the request. */
  readonly document: Stored<unknown>
  /** Undefined for a resource without links, such as a token. */
  readonly self: LinkTarget | undefined
}

export interface PageResponse<T = unknown> {
  readonly kind: 'page'
  readonly items: readonly PageItem<T>[] | Pick<PageText, 'text'>
  readonly itemLinks: ItemLinks
  /** The total number of items on all pages. Undefined if the request doesn't need it. */
  readonly total: number | undefined
  readonly hasNext: boolean
}

export interface PageItem<T = unknown> {
  /** The value of the path parameter that identifies this item. */
  readonly id: string
  readonly document: Stored<T>
}

/** An array of resources with `links`. */
export interface ListResponse<T = unknown> {
  readonly kind: 'list'
  readonly items: readonly PageItem<T>[]
  readonly itemLinks: ItemLinks
}

/** The names of the lists of resources in a resource. */
export type Lists = Readonly<Record<string, readonly PageItem[]>>

export interface ListsResponse<L extends Lists = Lists> {
  readonly kind: 'lists'
  readonly lists: L
  readonly itemLinks: ItemLinks
  readonly self: LinkTarget
}

/** An array of values that have no `links`. */
export interface ArrayResponse {
  readonly kind: 'array'
  readonly values: readonly unknown[]
}

export interface EmptyResponse {
  readonly kind: 'empty'
}

/** Builds a response with one resource, whose `self` link refers to `operationId`. */
export function resource<T, K extends OperationId>(
  document: Stored<T>,
  operationId: K,
  values: PathValues<K>,
): { kind: 'resource'; document: Stored<T>; self: LinkTarget } {
  return { kind: 'resource', document, self: { operationId, values } }
}

/** Builds the link targets for list items. */
export function itemsAt<K extends OperationId>(
  operationId: K,
  values: Readonly<Partial<Record<Row<K>['pathParameters'][number], string>>>,
  varying: Row<K>['pathParameters'][number],
): ItemLinks {
  const given = Object.entries<string | undefined>(values).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return { operationId, values: Object.fromEntries(given), varying }
}

/** A response without a body. */
export const empty: EmptyResponse = { kind: 'empty' }

import type { OperationId, operations } from '@svc-admin/types'
import type { Stored } from '../domain/stored.ts'
import type { PageText } from '../persistence/page-text.ts'

type Row<K extends OperationId> = (typeof operations)[K]

export type PathValues<K extends OperationId> = Readonly<Record<Row<K>['pathParameters'][number], string>>

/** The target of a link: an operation and the values of its path parameters. */
export interface LinkTarget {
  readonly operationId: OperationId
  readonly values: Readonly<Record<string, string>>
}

/** The link targets for the items in a list, which differ in only one path parameter. */
export interface ItemLinks extends LinkTarget {
  readonly varying: string
}

/**
 * The result of an operation. The HTTP layer renders the result and adds `links`, which depend on the address and
 * version of the request.
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
  /** The document without `links`, which depend on the address and version of the request. */
  readonly document: Stored<unknown>
  /** The target of the `self` link, or undefined if the resource has no links, such as a token. */
  readonly self: LinkTarget | undefined
}

export interface PageResponse<T = unknown> {
  readonly kind: 'page'
  readonly items: readonly PageItem<T>[] | Pick<PageText, 'text'>
  readonly itemLinks: ItemLinks
  /** The total number of items on all pages, or undefined if the client didn't request it. */
  readonly total: number | undefined
  readonly hasNext: boolean
}

export interface PageItem<T = unknown> {
  /** The value of the path parameter that identifies the item. */
  readonly id: string
  readonly document: Stored<T>
}

/** A list of resources with `links`. */
export interface ListResponse<T = unknown> {
  readonly kind: 'list'
  readonly items: readonly PageItem<T>[]
  readonly itemLinks: ItemLinks
}

/** Lists of resources within a resource, keyed by field name. */
export type Lists = Readonly<Record<string, readonly PageItem[]>>

export interface ListsResponse<L extends Lists = Lists> {
  readonly kind: 'lists'
  readonly lists: L
  readonly itemLinks: ItemLinks
  readonly self: LinkTarget
}

/** A list of values without `links`. */
export interface ArrayResponse {
  readonly kind: 'array'
  readonly values: readonly unknown[]
}

export interface EmptyResponse {
  readonly kind: 'empty'
}

/** Builds a response with a single resource, whose `self` link refers to the operation `operationId`. */
export function resource<T, K extends OperationId>(
  document: Stored<T>,
  operationId: K,
  values: PathValues<K>,
): { kind: 'resource'; document: Stored<T>; self: LinkTarget } {
  return { kind: 'resource', document, self: { operationId, values } }
}

/** Builds the link targets for a list's items. */
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

export const empty: EmptyResponse = { kind: 'empty' }

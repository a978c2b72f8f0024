import type { OperationId, operations } from '@svc-admin/types'
import type { Stored } from '../domain/stored.ts'
import type { PageText } from '../persistence/page-text.ts'

type Row<K extends OperationId> = (typeof operations)[K]

/** Values for the path of an operation. */
export type PathValues<K extends OperationId> = Readonly<Record<Row<K>['pathParameters'][number], string>>

/** A place within the API, written as an operation and its path values. */
export interface LinkTarget {
  readonly operationId: OperationId
  readonly values: Readonly<Record<string, string>>
}

/** The place of each item of a list: all but one path value are the same. */
export interface ItemLinks extends LinkTarget {
  readonly varying: string
}

/** What an operation answers; `http` turns it into bytes. */
export type Response =
  | ResourceResponse
  | PageResponse
  | ListResponse
  | ListsResponse
  | ArrayResponse
  | EmptyResponse

export interface ResourceResponse {
  readonly kind: 'resource'
  /** Without `links`, which depend on the address and generation that were asked. */
  readonly document: Stored<unknown>
  /** Undefined for a resource without links: a token. */
  readonly self: LinkTarget | undefined
}

export interface PageResponse<T = unknown> {
  readonly kind: 'page'
  readonly items: readonly PageItem<T>[] | Pick<PageText, 'text'>
  readonly itemLinks: ItemLinks
  /** How many there are on all pages; undefined if nobody asked. */
  readonly total: number | undefined
  readonly hasNext: boolean
}

export interface PageItem<T = unknown> {
  /** The path value that tells this item from the others. */
  readonly id: string
  readonly document: Stored<T>
}

/** A bare array of resources, each with its own `links`. */
export interface ListResponse<T = unknown> {
  readonly kind: 'list'
  readonly items: readonly PageItem<T>[]
  readonly itemLinks: ItemLinks
}

/** Lists of resources by name, as members of one resource. */
export type Lists = Readonly<Record<string, readonly PageItem[]>>

export interface ListsResponse<L extends Lists = Lists> {
  readonly kind: 'lists'
  readonly lists: L
  readonly itemLinks: ItemLinks
  readonly self: LinkTarget
}

/** A bare array of values without `links`. */
export interface ArrayResponse {
  readonly kind: 'array'
  readonly values: readonly unknown[]
}

export interface EmptyResponse {
  readonly kind: 'empty'
}

/** Answers with one resource, found again at `operationId`. */
export function resource<T, K extends OperationId>(
  document: Stored<T>,
  operationId: K,
  values: PathValues<K>,
): { kind: 'resource'; document: Stored<T>; self: LinkTarget } {
  return { kind: 'resource', document, self: { operationId, values } }
}

/** Names where each item of a list is found. */
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

/** Answers with nothing. */
export const empty: EmptyResponse = { kind: 'empty' }

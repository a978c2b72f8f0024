import type { CallContext } from './fetch.ts'

/** The information that the client needs about an operation. `#tables/operations` has one row per operation. */
export interface OperationRow {
  readonly id: string
  readonly method: string
  readonly path: string
  /** The versions in which the operation changed, oldest first. */
  readonly versions: readonly string[]
  readonly paged?: boolean
  /**
   * The location of the list in the response: either the whole body or `results`. Paginated operations always return
   * the list in `results`.
   */
  readonly list?: 'body' | 'results'
  /** Whether a successful response can omit the body. */
  readonly bodiless?: boolean
  /** Whether a retry is safe. Set only if the value differs from the method's default (RFC 9110 §9.2.2). */
  readonly repeatable?: boolean
  /** Whether the path starts at the server's root instead of a generation's prefix. */
  readonly absolute?: boolean
  /** The media types for requests and responses, if they differ from the version's media types. */
  readonly accept?: string
  readonly contentType?: string
}

/** Returns whether sending the request twice has the same effect as sending it once. */
export function isRepeatable({ method, repeatable }: OperationRow): boolean {
  return repeatable ?? !/POST|PATCH/.test(method)
}

export function createContext({ id: operationId, method, path }: OperationRow, version: string): CallContext {
  return { operationId, method, path, version, attempts: 0 }
}

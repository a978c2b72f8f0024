import type { CallContext } from './fetch.ts'

/** What the runtime needs to know about an operation. `#tables/operations` has a row for each. */
export interface OperationRow {
  readonly id: string
  readonly method: string
  readonly path: string
  /** The versions in which the operation changed, oldest first. */
  readonly versions: readonly string[]
  readonly paged?: boolean
  /** Where the response has a list: it is the body, or the field `results`, which paginated operations always have. */
  readonly list?: 'body' | 'results'
  /** A successful response may have no body. */
  readonly bodiless?: boolean
  /** Whether a retry is safe, if that differs from the method's default (RFC 9110 §9.2.2). */
  readonly repeatable?: boolean
  /** The path starts at the server's root instead of a generation's prefix. */
  readonly absolute?: boolean
  /** Media types, if they aren't the version's. */
  readonly accept?: string
  readonly contentType?: string
}

/** Whether sending the request twice has the same effect as sending it once. */
export function isRepeatable({ method, repeatable }: OperationRow): boolean {
  return repeatable ?? !/POST|PATCH/.test(method)
}

export function createContext({ id: operationId, method, path }: OperationRow, version: string): CallContext {
  return { operationId, method, path, version, attempts: 0 }
}

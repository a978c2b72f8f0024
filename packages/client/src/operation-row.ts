import type { CallContext } from './fetch.ts'

/** What the runtime has to know of an operation; `#tables/operations` holds one row for each. */
export interface OperationRow {
  readonly id: string
  readonly method: string
  readonly path: string
  /** The versions that own a shape of their own, oldest first. */
  readonly versions: readonly string[]
  readonly paged?: boolean
  /** A success may be without a body. */
  readonly bodiless?: boolean
  /** Given where it is not what the method says: RFC 9110 §9.2.2. */
  readonly repeatable?: boolean
  /** The path starts at the root of the server, not at the prefix of a generation. */
  readonly absolute?: boolean
  /** Takes the client credentials themselves instead of what was issued for them. */
  readonly basic?: boolean
  /** Media types, where they are not those of the version. */
  readonly accept?: string
  readonly contentType?: string
}

/** Whether sending the request twice has the effect of sending it once. */
export function isRepeatable({ method, repeatable }: OperationRow): boolean {
  return repeatable ?? !/POST|PATCH/.test(method)
}

/** The context of one call. */
export function createContext({ id: operationId, method, path }: OperationRow, version: string): CallContext {
  return { operationId, method, path, version, attempts: 0 }
}

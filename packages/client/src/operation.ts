import { createCall, type RawOutcome } from './call.ts'
import type { ParseJson } from './json.ts'
import { createContext, type OperationRow } from './operation-row.ts'
import type { CallOptions } from './options.ts'
import { type PageSource, readArray, readItems, readPages } from './paginate.ts'
import type { Arguments } from './request.ts'
import type { Transport } from './transport-call.ts'
import { resolveVersion } from './version.ts'

/** Options of one call at run time: any version, and the limit of `toArray`. */
export interface AnyCallOptions extends CallOptions {
  readonly version?: string | undefined
  readonly limit?: number | undefined
}

/** Runs one call of any operation. */
export type Run = (row: OperationRow, args?: Arguments, options?: AnyCallOptions) => Promise<RawOutcome>

/** Runs calls with the client's version unless the call sets another. */
export function createRun(transport: Transport, pin: string, parseJson: ParseJson): Run {
  return async (row, args = {}, options = {}) => {
    const context = createContext(row, resolveVersion(row, options.version ?? pin))
    return transport({ row, args, options, context, parseJson: options.parseJson ?? parseJson })
  }
}

/**
 * Creates the function for an operation. If the operation is paginated, it has three methods that read all
 * pages.
 */
export function createOperation(run: Run, row: OperationRow): object {
  const call = (args?: Arguments, options?: AnyCallOptions) => createCall(run(row, args, options))
  if (!row.paged) return call
  const paged =
    <T>(read: (from: PageSource, args: Arguments, options?: AnyCallOptions) => T) =>
    (args: Arguments = {}, options?: AnyCallOptions): T =>
      read({ operationId: row.id, read: (page) => run(row, page, options) }, args, options)
  return Object.assign(call, {
    pages: paged(readPages),
    items: paged(readItems),
    toArray: paged(readArray),
  })
}

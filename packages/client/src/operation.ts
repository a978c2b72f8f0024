import { createCall, type RawOutcome } from './call.ts'
import type { OperationRow } from './operation-row.ts'
import type { CallOptions } from './options.ts'
import { type ReadPage, readArray, readItems, readPages } from './paginate.ts'
import type { Arguments } from './request.ts'

/** A call's options at run time, including the optional version and the limit for `toArray`. */
export interface AnyCallOptions extends CallOptions {
  readonly version?: string | undefined
  readonly limit?: number | undefined
}

/** Sends a call to any operation. */
export type Run = (row: OperationRow, args?: Arguments, options?: AnyCallOptions) => Promise<RawOutcome>

/** Reads all pages, either into an array or one at a time in a loop. */
export type Reader = (
  args?: Arguments,
  options?: AnyCallOptions,
) => AsyncGenerator<unknown, void> | Promise<unknown>

export type WrapReader = (read: Reader) => Reader

/**
 * Creates the function for an operation. If the operation is paginated, the function has three methods that read all
 * pages.
 */
export function createOperation(run: Run, row: OperationRow, wrap: WrapReader = (read) => read): object {
  const call = (args?: Arguments, options?: AnyCallOptions) => createCall(run(row, args, options))
  if (!row.paged) return call
  const paged = (
    read: (page: ReadPage, args: Arguments, options?: AnyCallOptions) => ReturnType<Reader>,
  ): Reader => wrap((args = {}, options) => read((query) => run(row, query, options), args, options))
  return Object.assign(call, {
    pages: paged(readPages),
    items: paged(readItems),
    toArray: paged(readArray),
  })
}

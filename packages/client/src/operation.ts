import { itemsPerPage } from '#tables/constants'
import { readBody } from './answer.ts'
import { PendingCall, type RawOutcome } from './call.ts'
import type { OperationRow } from './operation-row.ts'
import type { CallOptions } from './options.ts'
import { type Page, type PageSource, readArray, readItems, readPages } from './paginate.ts'
import type { Arguments } from './request.ts'
import type { Transport } from './transport.ts'
import { resolveVersion } from './version.ts'

/** Settings of one call, as the runtime sees them: any version, and the limit of `toArray`. */
export interface AnyCallOptions extends CallOptions {
  readonly version?: string
  readonly limit?: number
}

/** Makes one call of any operation. */
export type Run = (row: OperationRow, args?: Arguments, options?: AnyCallOptions) => Promise<RawOutcome>

/** Calls at the version of the client unless the call says another. */
export function createRun(transport: Transport, pin: string, largeIntegers: 'throw' | 'bigint'): Run {
  return async (row, args = {}, options = {}) => {
    const version = resolveVersion(row, options.version ?? pin)
    const { id: operationId, method, path } = row
    const context = { operationId, method, path, version, attempts: 0 }
    const answer = await transport({ row, args, options, context })
    const reading = {
      enveloped: args.envelope === true,
      largeIntegers: options.largeIntegers ?? largeIntegers,
    }
    const body = readBody(context, answer, reading)
    return { ...answer, ...body, attempts: context.attempts }
  }
}

/** An operation as a function, and where it is paged with the three ways to read all pages. */
export function createOperation(run: Run, row: OperationRow): object {
  const call = (args?: Arguments, options?: AnyCallOptions) => new PendingCall(run(row, args, options))
  if (!row.paged) return call
  const source = (options?: AnyCallOptions): PageSource => ({
    operationId: row.id,
    defaultItemsPerPage: itemsPerPage.default,
    read: async (args) => {
      const { data, url } = await run(row, args, options)
      return { page: data as Page, url }
    },
  })
  return Object.assign(call, {
    pages: (args: Arguments = {}, options?: AnyCallOptions) => readPages(source(options), args),
    items: (args: Arguments = {}, options?: AnyCallOptions) => readItems(source(options), args),
    toArray: (args: Arguments = {}, options?: AnyCallOptions) =>
      readArray(source(options), args, options?.limit),
  })
}

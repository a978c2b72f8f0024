import type { RawOutcome } from './call.ts'
import type { CallContext } from './fetch.ts'
import type { ParseJson } from './json.ts'
import type { OperationRow } from './operation-row.ts'
import type { CallOptions } from './options.ts'
import type { Arguments, buildRequest } from './request.ts'

/** A response whose body was read to the end. */
export interface BufferedResponse {
  readonly response: Response
  readonly text: string
  /** URL of the request, query included. */
  readonly url: string
}

/** Runs one call, from its arguments to a parsed response. */
export type Transport = (call: TransportCall) => Promise<RawOutcome>

export interface TransportCall {
  readonly row: OperationRow
  readonly args: Arguments
  readonly options: CallOptions | undefined
  /** The requested version. The operation may resolve it to an older one. */
  readonly version: string
  readonly parseJson: ParseJson
  /** Instead of `buildRequest` and `readBody`, for `createFetch`. */
  readonly build?: typeof buildRequest
  readonly read?: (call: TransportCall, context: CallContext, buffered: BufferedResponse) => RawOutcome
}

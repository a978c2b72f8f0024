import type { RawOutcome } from './call.ts'
import type { CallContext } from './fetch.ts'
import type { ParseJson } from './json.ts'
import type { OperationRow } from './operation-row.ts'
import type { CallOptions } from './options.ts'
import type { Arguments, buildRequest } from './request.ts'

/** A response with a body that has been read completely. */
export interface BufferedResponse {
  readonly response: Response
  readonly text: string
  /** The request URL, including the query string. */
  readonly url: string
}

/** Runs a call: builds the request, sends it, and parses the response. */
export type Transport = (call: TransportCall) => Promise<RawOutcome>

export interface TransportCall {
  readonly row: OperationRow
  readonly args: Arguments
  readonly options: CallOptions | undefined
  /** The requested version, which may resolve to an older version of the operation. */
  readonly version: string
  readonly parseJson: ParseJson
  /** `createFetch` sets these functions to replace `buildRequest` and `readBody`. */
  readonly build?: typeof buildRequest
  readonly read?: (call: TransportCall, context: CallContext, buffered: BufferedResponse) => RawOutcome
}

import type { HeaderName } from '#api'
import { ApiError } from './errors.ts'
import type { CallContext } from './fetch.ts'

/** Response headers. Editors suggest the documented names, but any name is allowed. */
export interface ResponseHeaders extends Headers {
  get(name: HeaderName | (string & {})): string | null
}

/** The platform's response, with the documented headers. */
export interface ResponseReply extends Response {
  readonly headers: ResponseHeaders
}

/** A successful response, parsed and checked. */
export interface Outcome<T> {
  readonly data: T
  /**
   * The status. If you requested an envelope, the status comes from the envelope. With an envelope, the HTTP status is
   * 200 even if it would otherwise be 204.
   */
  readonly status: number
  /** The response. The body has already been read, so use `text` instead. */
  readonly response: ResponseReply
  /** The unparsed body. */
  readonly text: string
  /** The version in the response's `Content-Type` header, if there is one. */
  readonly version: string | undefined
  /** The request URL, including the query string. */
  readonly url: string
  /** The response's `X-Request-Id` header. The server logs the request under this ID. */
  readonly requestId: string | undefined
  /** The number of requests that were sent. */
  readonly attempts: number
}

/** The fields of a successful result. */
export interface Success<Status extends number, T> {
  readonly status: Status
  readonly data: T
  readonly error?: never
}

/** The fields of a result for an error response. */
export interface Failure<Status extends number, Code extends string> {
  readonly status: Status
  readonly error: ApiError<Status, Code | (string & {})>
  readonly data?: never
}

/** An API call. Await the call to get the response body, or use its methods to get more details. */
export interface Call<T, Result = Success<number, T> | Failure<number, string>> extends Promise<T> {
  /** Returns the body together with the status, headers, version and attempts. */
  withResponse(): Promise<Outcome<T>>
  /**
   * Returns `{ data }` or `{ error }` and doesn't throw if the server returns an error. Check the `status` field to
   * distinguish success from failure. Failures without a response still throw. `OtherStatus` represents undocumented
   * statuses from a gateway or a newer service.
   */
  result(): Promise<Result>
}

/** The outcome of a call, without response headers. Reading headers is slow, and callers often don't need them. */
export interface RawOutcome {
  readonly data: unknown
  readonly status: number
  readonly response: Response
  readonly text: string
  readonly url: string
  readonly version: string | undefined
  readonly context: CallContext
}

/**
 * Creates the promise that a call returns. Returns a native promise with two extra methods because a `Promise` subclass
 * would slow down every `await`.
 */
export function createCall(work: Promise<RawOutcome>): Call<unknown> {
  let outcome: RawOutcome
  const readData = async (): Promise<unknown> => {
    outcome = await work
    return outcome.data
  }
  const call = readData()
  // Both methods await `call` because a second handler on `work` would hide the caller (see `showCaller`).
  return Object.assign(call, {
    async withResponse() {
      await call
      const { context, ...rest } = outcome
      const requestId = outcome.response.headers.get('x-request-id') ?? undefined
      return { ...rest, attempts: context.attempts, requestId }
    },
    async result() {
      try {
        await call
        return { status: outcome.status, data: outcome.data }
      } catch (error) {
        if (error instanceof ApiError) return { status: error.status, error }
        throw error
      }
    },
  })
}

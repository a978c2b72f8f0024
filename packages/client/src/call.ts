import type { HeaderName } from '#api'
import { ApiError } from './errors.ts'
import type { CallContext } from './fetch.ts'

/** Response headers. Editors complete the documented names; others are allowed. */
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
   * The envelope's status if you requested an envelope. With one, HTTP returns 200 where it would return 204.
   */
  readonly status: number
  /** Its body was already read; use `text`. */
  readonly response: ResponseReply
  /** The raw body. */
  readonly text: string
  /** The version named by the response, if any. */
  readonly version: string | undefined
  /** URL of the request, query included. */
  readonly url: string
  /** `X-Request-Id` of the response. The server logs the request under this ID. */
  readonly requestId: string | undefined
  /** Number of requests sent. */
  readonly attempts: number
}

/** Fields of every successful result. */
export interface Success<Status extends number, T> {
  readonly status: Status
  readonly data: T
  readonly error?: never
}

/** Fields of every result for which the server returned an error. */
export interface Failure<Status extends number, Code extends string> {
  readonly status: Status
  readonly error: ApiError<Status, Code | (string & {})>
  readonly data?: never
}

/** An API call. Await it to get the response body, or use its methods to get more of the same response. */
export interface Call<T, Result = Success<number, T> | Failure<number, string>> extends Promise<T> {
  /** Returns the body with status, headers, version and attempts. */
  withResponse(): Promise<Outcome<T>>
  /**
   * Returns `{ data }` or `{ error }`, distinguished by `status`, instead of throwing when the server returns
   * an error.
   * Failures without a response still throw. In addition to the documented statuses, `OtherStatus` stands for the
   * status of a gateway or of a newer service.
   */
  result(): Promise<Result>
}

/** The outcome before its headers are read, which is expensive and often not needed. */
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
 * The promise that a call returns: a native promise with two extra methods. A subclass of `Promise` would
 * make every `await` slower.
 */
export function createCall(work: Promise<RawOutcome>): Call<unknown> {
  let outcome: RawOutcome
  const readData = async (): Promise<unknown> => {
    outcome = await work
    return outcome.data
  }
  const call = readData()
  // Both methods await the call itself. A second handler on `work` would end the search for the caller; see `showCaller`.
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

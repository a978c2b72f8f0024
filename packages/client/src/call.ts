import type { HeaderName } from '#api'
import { ApiError } from './errors.ts'

/** Headers whose names the editor completes; there may be others. */
export interface ResponseHeaders extends Headers {
  get(name: HeaderName | (string & {})): string | null
}

/** The platform's response, with the headers of the documents. */
export interface ResponseReply extends Response {
  readonly headers: ResponseHeaders
}

/** A successful answer, read and checked. */
export interface Outcome<T> {
  readonly data: T
  /** That of the envelope where one was asked for: in HTTP a 204 becomes 200 with it. */
  readonly status: number
  /** Its body has been read; `text` holds it. */
  readonly response: ResponseReply
  /** The body as it came. */
  readonly text: string
  /** The version that the answer says it has; undefined where it does not say. */
  readonly version: string | undefined
  /** Where it was asked for, with the query. */
  readonly url: string
  /** `X-Request-Id` of the answer, by which the server's log has it. */
  readonly requestId: string | undefined
  /** Requests that were sent for it. */
  readonly attempts: number
}

/** The members of every result of a call that succeeded. */
export interface Success<Status extends number, T> {
  readonly status: Status
  readonly data: T
  readonly error?: never
}

/** The members of every result of a call that the server refused. */
export interface Failure<Status extends number, Code extends string> {
  readonly status: Status
  readonly error: ApiError<Status, Code | (string & {})>
  readonly data?: never
}

/** A call under way. Awaited it is the body of the answer; its methods tell more of the same answer. */
export interface Call<T, Result = Success<number, T> | Failure<number, string>> extends Promise<T> {
  /** The body together with status, headers, version and attempts. */
  withResponse(): Promise<Outcome<T>>
  /**
   * `{ data }` or `{ error }`, told apart by `status`, instead of an exception for what the server answers.
   * Failures without an answer are thrown as ever. Besides the documented statuses there is `OtherStatus`: that of a
   * gateway, or of a service that is newer than the documents.
   */
  result(): Promise<Result>
}

/** What is known before the headers are looked at, so that nobody pays for what they do not ask. */
export interface RawOutcome {
  readonly data: unknown
  readonly status: number
  readonly response: Response
  readonly text: string
  readonly url: string
  readonly version: string | undefined
  readonly attempts: number
}

/**
 * The promise that a call returns. It is the platform's own with two methods on it: a subclass of Promise
 * makes every `await` dearer.
 */
export function createCall(work: Promise<RawOutcome>): Call<unknown> {
  const call = work.then(({ data }) => data)
  /** Whoever asks for the outcome has seen the failure: the promise itself must not count as unhandled. */
  const observe = (): Promise<RawOutcome> => {
    call.catch(() => undefined)
    return work
  }
  return Object.assign(call, {
    withResponse: () => observe().then(readOutcome),
    result: () => observe().then(readSuccess, readFailure),
  })
}

function readOutcome(outcome: RawOutcome): Outcome<unknown> {
  return { ...outcome, requestId: outcome.response.headers.get('x-request-id') ?? undefined }
}

function readSuccess({ status, data }: RawOutcome): Success<number, unknown> {
  return { status, data }
}

function readFailure(error: unknown): Failure<number, string> {
  if (error instanceof ApiError) return { status: error.status, error }
  throw error
}

import type { ErrorCatalogue, ErrorCode } from '#api'
import type { CallContext } from './fetch.ts'

/** A code of the catalogue, completed by the editor, or one that a later server adds. */
export type OpenErrorCode = ErrorCode | (string & {})

/** What an error says of its call, and of itself. */
interface Facts extends CallContext {
  readonly timeoutMs?: number
  readonly status?: number
  readonly contentType?: string
}

/**
 * A call that failed: what its subclasses have in common. What was no call is told otherwise: arguments and settings
 * that do not fit are a `TypeError`, a state that was not reached is a `WaitError`, and who aborts gets his own reason.
 */
export class ClientError extends Error {
  override name = 'ClientError'
  declare readonly operationId: string
  declare readonly method: string
  /** The path template: values of parameters are not in it. */
  declare readonly path: string
  declare readonly version: string
  /**
   * Attempts that were made before this error was thrown. Where they are several, an earlier one may have succeeded
   * without an answer: a conflict, or a resource that is not there, can then be what it has done.
   */
  declare readonly attempts: number
  /** The page that was being read, where the call is one of many of an iteration. */
  declare readonly pageNum?: number

  constructor(message: string, context: Facts, cause?: object) {
    super(`${context.operationId}: ${message}`, cause && { cause })
    Object.assign(this, context)
  }

  /** The same error with the page in it and in its message; a new one, because calls that wait for one token share it. */
  onPage(pageNum: number): Error {
    // The second argument of an error is read for its `cause`, which is then there where it is here.
    const copy = Reflect.construct(Error, [`${this.message} (page ${pageNum})`, this], this.constructor)
    return Object.assign(copy, this, { pageNum })
  }

  /** Every field that is safe to log. `JSON.stringify` on a plain Error gives `{}`. */
  toJSON(): object {
    return { ...this, message: this.message }
  }
}

/** No answer: the connection failed or broke off. */
export class NetworkError extends ClientError {
  override name = 'NetworkError'
  /** What is known of the failure; its code is that of the platform, for example `ECONNREFUSED`. */
  declare readonly cause: { readonly message: string; readonly code?: string | undefined }
  constructor(context: CallContext, cause: { readonly message: string }, url: string) {
    // The cause names the server by its IP address or not at all.
    super(`no answer from ${new URL(url).origin}: ${cause.message}`, context, cause)
  }
}

/** Time was up, for one attempt or for the call with all its attempts. */
export class TimeoutError extends ClientError {
  override name = 'TimeoutError'
  declare readonly timeoutMs: number
  constructor(context: CallContext, timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`, { ...context, timeoutMs })
  }
}

/** An answer that is not what its status and media type promise, for example a page of HTML with 200. */
export class ParseError extends ClientError {
  override name = 'ParseError'
  declare readonly status: number
  declare readonly contentType: string
  constructor(context: CallContext, { status, headers }: Response, problem: string) {
    const contentType = headers.get('content-type') ?? ''
    super(`${status} ${contentType}: ${problem}`, { ...context, status, contentType })
  }
}

/** The members of an error body, and of the answer that carried it. */
export interface ApiProblem {
  readonly status: number
  readonly errorCode?: string | undefined
  readonly reason?: string | undefined
  readonly detail?: string | undefined
  readonly parameters?: readonly string[] | undefined
  readonly requestId?: string | undefined
  readonly retryAfterMs?: number | undefined
}

/** The server answered with an error. */
export class ApiError<
  Status extends number = number,
  Code extends string = OpenErrorCode,
> extends ClientError {
  override name = 'ApiError'
  declare readonly status: Status
  declare readonly errorCode: Code | undefined
  declare readonly reason: string | undefined
  declare readonly detail: string | undefined
  /** JSON Pointers into the body, or names of parameters, that were at fault. */
  declare readonly parameters: readonly string[] | undefined
  /** `X-Request-Id` of the answer, by which the server's log has it. */
  declare readonly requestId: string | undefined
  /** What the server asked to wait, a day at most. */
  declare readonly retryAfterMs: number | undefined

  constructor(context: CallContext, problem: ApiProblem & { readonly status: Status }) {
    const { status, errorCode, reason, detail, requestId } = problem
    const text = [status, errorCode ?? reason, detail && `- ${detail}`, requestId && `(request ${requestId})`]
    super(text.filter(Boolean).join(' '), { ...context, ...problem })
  }
}

/**
 * Narrows an error to one code of the catalogue, and with it to the status of that code.
 *
 * @example
 * try {
 *   await client.takeSnapshot({ groupId, clusterName, body: { retentionInDays: 7 } })
 * } catch (error) {
 *   if (!isErrorCode(error, 'SNAPSHOT_IN_PROGRESS')) throw error
 *   error.status // 409
 * }
 */
export function isErrorCode<Code extends OpenErrorCode>(
  error: unknown,
  code: Code,
): error is ApiError<Code extends ErrorCode ? ErrorCatalogue[Code] : number, Code> {
  return error instanceof ApiError && error.errorCode === code
}

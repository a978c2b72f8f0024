import type { ErrorCatalogue, ErrorCode } from '#api'
import type { CallContext } from './fetch.ts'

/** An error code. Editors suggest the known codes, but newer servers may return other codes. */
export type OpenErrorCode = ErrorCode | (string & {})

/** Error fields that describe the failed call and the problem. */
interface ErrorFields extends CallContext {
  readonly timeoutMs?: number
  readonly status?: number
  readonly contentType?: string
}

/**
 * The base class for errors from failed calls. Some failures don't throw a `ClientError`. Invalid arguments and options
 * throw a `TypeError`. `waitFor` throws a `WaitError` if the resource doesn't reach the state. Aborted calls throw the
 * signal's abort reason.
 *
 * @example
 * const error = await client.getAlert({ groupId, alertId }).catch((thrown) => thrown)
 * if (error instanceof ClientError) console.log(error.operationId, error.attempts)
 */
export class ClientError extends Error {
  override name = 'ClientError'
  declare readonly operationId: string
  declare readonly method: string
  /** The path template, without parameter values. */
  declare readonly path: string
  declare readonly version: string
  /**
   * The number of attempts made before the client threw this error. If there were several attempts, an earlier attempt
   * may have succeeded although its response was lost. The earlier attempt may explain a conflict or a missing
   * resource.
   */
  declare readonly attempts: number
  /** The page being read, if the call was part of a loop over pages. */
  declare readonly pageNum?: number

  constructor(message: string, context: ErrorFields, cause?: object) {
    // Limit the message's length because a server may send any amount of text.
    super(`${context.operationId}: ${message}`.slice(0, 1_000), cause && { cause })
    Object.assign(this, context)
  }

  /** Returns every field that is safe to log. For a plain Error, `JSON.stringify` returns `{}`. */
  toJSON(): object {
    return { ...this, message: this.message }
  }
}

/**
 * The client didn't receive a complete response, because the connection failed or broke.
 *
 * @example
 * const error = await client.getAlert({ groupId, alertId }).catch((thrown) => thrown)
 * if (error instanceof NetworkError) console.log(error.cause.code)
 */
export class NetworkError extends ClientError {
  override name = 'NetworkError'
  /** The underlying failure. `code` comes from the platform, for example `ECONNREFUSED`. */
  declare readonly cause: { readonly message: string; readonly code?: string | undefined }
  constructor(context: CallContext, cause: { readonly message: string }, url: string) {
    // Except for the server's IP address, the platform's message contains no sensitive information.
    super(`no complete response from ${new URL(url).origin}: ${cause.message}`, context, cause)
  }
}

/**
 * An attempt or the whole call timed out.
 *
 * @example
 * const error = await client.getAlert({ groupId, alertId }, { timeoutMs: 5_000 }).catch((thrown) => thrown)
 * if (error instanceof TimeoutError) console.log(error.timeoutMs)
 */
export class TimeoutError extends ClientError {
  override name = 'TimeoutError'
  declare readonly timeoutMs: number
  constructor(context: CallContext, timeoutMs: number) {
    super(`no complete response within ${timeoutMs} ms`, { ...context, timeoutMs })
  }
}

/**
 * The response body doesn't match the schema for the response's status and media type. For example, the body is an HTML
 * page although the status is 200.
 *
 * @example
 * const error = await client.getAlert({ groupId, alertId }).catch((thrown) => thrown)
 * if (error instanceof ParseError) console.log(error.status, error.contentType)
 */
export class ParseError extends ClientError {
  override name = 'ParseError'
  declare readonly status: number
  declare readonly contentType: string
  constructor(context: CallContext, { status, headers }: Response, problem: string) {
    const contentType = headers.get('content-type') ?? ''
    super(`${status} ${contentType || 'without content-type'}: ${problem}`, {
      ...context,
      status,
      contentType,
    })
  }
}

/** Error details from the response's body and headers. */
export interface ApiProblem {
  readonly status: number
  readonly errorCode?: string | undefined
  readonly reason?: string | undefined
  readonly detail?: string | undefined
  readonly parameters?: readonly string[] | undefined
  readonly requestId?: string | undefined
  readonly retryAfterMs?: number | undefined
  readonly helpUrl?: string | undefined
}

/**
 * The server returned an error.
 *
 * @example
 * const error = await client.getAlert({ groupId, alertId }).catch((thrown) => thrown)
 * if (error instanceof ApiError) console.log(error.status, error.errorCode, error.detail)
 */
export class ApiError<
  Status extends number = number,
  Code extends string = OpenErrorCode,
> extends ClientError {
  override name = 'ApiError'
  declare readonly status: Status
  declare readonly errorCode: Code | undefined
  declare readonly reason: string | undefined
  declare readonly detail: string | undefined
  /** The invalid values, given as JSON Pointers into the body or as parameter names. */
  declare readonly parameters: readonly string[] | undefined
  /** The response's `X-Request-Id` header. The server logs the request under this ID. */
  declare readonly requestId: string | undefined
  /** The wait time that the server requested, capped at one day. */
  declare readonly retryAfterMs: number | undefined
  /**
   * The URL of the documentation for this error, if the response has a `Link` header with `rel="help"`. Not set by
   * `createPartialClient`.
   */
  declare readonly helpUrl: string | undefined

  constructor(context: CallContext, problem: ApiProblem & { readonly status: Status }) {
    const { status, errorCode, reason, detail, requestId } = problem
    const text = [status, errorCode ?? reason, detail && `- ${detail}`, requestId && `(request ${requestId})`]
    super(text.filter(Boolean).join(' '), { ...context, ...problem })
  }
}

/**
 * Narrows an error's type to a specific error code and its status.
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

import { ApiError } from './errors.ts'
import type { CallContext } from './fetch.ts'

/** 400: path, query or body do not fit. */
export class BadRequestError extends ApiError<400> {
  override name = 'BadRequestError'
}

/** Credentials are missing, wrong or refused: by the API (401) or by the token endpoint (400, 401, 403). */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError'
}

/** 403: the credentials are known, but lack the role or call from the wrong address. */
export class PermissionError extends ApiError<403> {
  override name = 'PermissionError'
}

/** 404: no such resource, or none that these credentials may know of. */
export class NotFoundError extends ApiError<404> {
  override name = 'NotFoundError'
}

/** 405: the path exists, with other methods. */
export class MethodNotAllowedError extends ApiError<405> {
  override name = 'MethodNotAllowedError'
}

/** 406: the operation has no version for the date asked for. */
export class NotAcceptableError extends ApiError<406> {
  override name = 'NotAcceptableError'
}

/** 409: the resource is not in a state that allows this. */
export class ConflictError extends ApiError<409> {
  override name = 'ConflictError'
}

/** 410: this version is served no longer. */
export class GoneError extends ApiError<410> {
  override name = 'GoneError'
}

/** 413: the body is too large. */
export class PayloadTooLargeError extends ApiError<413> {
  override name = 'PayloadTooLargeError'
}

/** 415: the server does not take this media type. */
export class UnsupportedMediaTypeError extends ApiError<415> {
  override name = 'UnsupportedMediaTypeError'
}

/** 429, or a call that was not sent because the host asked for a longer pause than the client may wait. */
export class RateLimitError extends ApiError<429> {
  override name = 'RateLimitError'

  /** The error of a request that was held back. */
  static unsent(context: CallContext, retryAfterMs: number): RateLimitError {
    const detail = `not sent: the next request is allowed in ${Math.ceil(retryAfterMs / 1000)} s`
    return new RateLimitError(context, { status: 429, reason: 'Too Many Requests', detail, retryAfterMs })
  }
}

/** 500 and above: the server failed. */
export class ServerError extends ApiError {
  override name = 'ServerError'
}

/** 503: the server is not available for now. */
export class UnavailableError extends ApiError<503> {
  override name = 'UnavailableError'
}

import { ApiError, type ApiProblem, type OpenErrorCode } from './errors.ts'
import type { CallContext } from './fetch.ts'

type Problem<Status extends number> = ApiProblem & { readonly status: Status }

/** A class for the errors of one status; `instanceof` narrows to it. */
export type StatusErrorClass<Status extends number> = new (
  context: CallContext,
  problem: Problem<Status>,
) => ApiError<Status>

const classes: Record<number, new (context: CallContext, problem: Problem<never>) => ApiError> = {}

/** A class by table and not by declaration: thirteen of the latter are a third of a kilobyte. */
function define<Status extends number>(name: string, status: Status): StatusErrorClass<Status> {
  const title = `${name}Error`
  const Class = class extends ApiError<Status> {
    // What consoles print before the name of the error.
    static override name = title
    override name = title
  }
  classes[status] = Class
  return Class
}

/** 400: path, query or body do not fit. */
export const BadRequestError = define('BadRequest', 400)
export type BadRequestError = InstanceType<typeof BadRequestError>

/** Credentials are missing, wrong or refused: by the API (401) or by the token endpoint (400, 401, 403). */
export const AuthenticationError: StatusErrorClass<number> = define<number>('Authentication', 401)
export type AuthenticationError = InstanceType<typeof AuthenticationError>

/** 403: the credentials are known, but lack the role or call from the wrong address. */
export const PermissionError = define('Permission', 403)
export type PermissionError = InstanceType<typeof PermissionError>

/** 404: no such resource, or none that these credentials may know of. See `attempts` where it was to be removed. */
export const NotFoundError = define('NotFound', 404)
export type NotFoundError = InstanceType<typeof NotFoundError>

/** 405: the path exists, with other methods. */
export const MethodNotAllowedError = define('MethodNotAllowed', 405)
export type MethodNotAllowedError = InstanceType<typeof MethodNotAllowedError>

/** 406: the operation has no version for the date asked for. */
export const NotAcceptableError = define('NotAcceptable', 406)
export type NotAcceptableError = InstanceType<typeof NotAcceptableError>

/** 409: the resource is not in a state that allows this. See `attempts`: an earlier one may have brought it there. */
export const ConflictError = define('Conflict', 409)
export type ConflictError = InstanceType<typeof ConflictError>

/** 410: this version is served no longer. */
export const GoneError = define('Gone', 410)
export type GoneError = InstanceType<typeof GoneError>

/** 413: the body is too large. */
export const PayloadTooLargeError = define('PayloadTooLarge', 413)
export type PayloadTooLargeError = InstanceType<typeof PayloadTooLargeError>

/** 415: the server does not take this media type. */
export const UnsupportedMediaTypeError = define('UnsupportedMediaType', 415)
export type UnsupportedMediaTypeError = InstanceType<typeof UnsupportedMediaTypeError>

/** 429, or a call that was not sent because the host asked for a longer pause than the client may wait. */
export const RateLimitError = define('RateLimit', 429)
export type RateLimitError = InstanceType<typeof RateLimitError>

/** 503: the server is not available for now. */
export const UnavailableError = define('Unavailable', 503)
export type UnavailableError = InstanceType<typeof UnavailableError>

/** Any other status from 500 on: the server failed. */
export const ServerError = define<number>('Server', 500)
export type ServerError = InstanceType<typeof ServerError>

/** The error of the class that belongs to the status. */
export function createApiError(context: CallContext, problem: ApiProblem): ApiError<number, OpenErrorCode> {
  const Class = classes[problem.status] ?? (problem.status >= 500 ? ServerError : ApiError)
  return new Class(context, problem as Problem<never>)
}

/** The error of a request that was held back. */
export function createUnsentError(context: CallContext, retryAfterMs: number): ApiError<429> {
  const detail = `not sent, wait ${retryAfterMs} ms`
  return new RateLimitError(context, { status: 429, detail, retryAfterMs })
}

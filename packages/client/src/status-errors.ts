import { ApiError, type ApiProblem, type OpenErrorCode } from './errors.ts'
import type { CallContext } from './fetch.ts'

type Problem<Status extends number> = ApiProblem & { readonly status: Status }

/** An error class for one status. `instanceof` narrows to that status. */
export type StatusErrorClass<Status extends number> = new (
  context: CallContext,
  problem: Problem<Status>,
) => ApiError<Status>

const classes: Record<number, new (context: CallContext, problem: Problem<never>) => ApiError> = {}

/** Defines a class at run time: thirteen class declarations would add a third of a kilobyte. */
function define<Status extends number>(name: string, status: Status): StatusErrorClass<Status> {
  const title = `${name}Error`
  const Class = class extends ApiError<Status> {
    // Consoles print this before the error's name.
    static override name = title
    override name = title
  }
  classes[status] = Class
  return Class
}

/** 400: the path, query or body is invalid. */
export const BadRequestError = define('BadRequest', 400)
export type BadRequestError = InstanceType<typeof BadRequestError>

/** Credentials are missing, wrong or rejected, by the API (401) or by the token endpoint (400, 401, 403). */
export const AuthenticationError: StatusErrorClass<number> = define<number>('Authentication', 401)
export type AuthenticationError = InstanceType<typeof AuthenticationError>

/**
 * 403: the credentials are valid but lack the role, or the request came from an address that isn't allowed.
 */
export const PermissionError = define('Permission', 403)
export type PermissionError = InstanceType<typeof PermissionError>

/**
 * 404: the resource doesn't exist, or the credentials have no access to it. After a delete, check `attempts`:
 * an earlier attempt may have succeeded.
 */
export const NotFoundError = define('NotFound', 404)
export type NotFoundError = InstanceType<typeof NotFoundError>

/** 405: the path doesn't support this method. */
export const MethodNotAllowedError = define('MethodNotAllowed', 405)
export type MethodNotAllowedError = InstanceType<typeof MethodNotAllowedError>

/** 406: the operation has no version for the requested date. */
export const NotAcceptableError = define('NotAcceptable', 406)
export type NotAcceptableError = InstanceType<typeof NotAcceptableError>

/** 409: the resource's state doesn't allow this. Check `attempts`: an earlier attempt may have succeeded. */
export const ConflictError = define('Conflict', 409)
export type ConflictError = InstanceType<typeof ConflictError>

/** 410: this version is no longer available. */
export const GoneError = define('Gone', 410)
export type GoneError = InstanceType<typeof GoneError>

/** 413: the body is too large. */
export const PayloadTooLargeError = define('PayloadTooLarge', 413)
export type PayloadTooLargeError = InstanceType<typeof PayloadTooLargeError>

/** 415: the server doesn't accept this media type. */
export const UnsupportedMediaTypeError = define('UnsupportedMediaType', 415)
export type UnsupportedMediaTypeError = InstanceType<typeof UnsupportedMediaTypeError>

/** 429, or a call that wasn't sent because the server requested a longer pause than the client may wait. */
export const RateLimitError = define('RateLimit', 429)
export type RateLimitError = InstanceType<typeof RateLimitError>

/** 503: the server is temporarily unavailable. */
export const UnavailableError = define('Unavailable', 503)
export type UnavailableError = InstanceType<typeof UnavailableError>

/** Any other status of 500 or above: the server failed. */
export const ServerError = define<number>('Server', 500)
export type ServerError = InstanceType<typeof ServerError>

/** Creates an error of the status's class. */
export function createApiError(context: CallContext, problem: ApiProblem): ApiError<number, OpenErrorCode> {
  const Class = classes[problem.status] ?? (problem.status >= 500 ? ServerError : ApiError)
  return new Class(context, problem as Problem<never>)
}

/** The error for a request that wasn't sent. */
export function createUnsentError(context: CallContext, retryAfterMs: number): ApiError<429> {
  const detail = `not sent, retry in ${retryAfterMs} ms`
  return new RateLimitError(context, { status: 429, detail, retryAfterMs })
}

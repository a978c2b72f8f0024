import { ApiError, type ApiProblem, type OpenErrorCode } from './errors.ts'
import type { CallContext } from './fetch.ts'

type Problem<Status extends number> = ApiProblem & { readonly status: Status }

/** An error class for one status. `instanceof` narrows an error to that status. */
export type StatusErrorClass<Status extends number> = new (
  context: CallContext,
  problem: Problem<Status>,
) => ApiError<Status>

const classes: Record<number, StatusErrorClass<never>> = {}

/**
 * Defines a class at run time because thirteen class declarations would make the bundle a third of a kilobyte larger.
 * The calls below are marked as pure, so bundlers drop the classes that an application doesn't use.
 */
function define<Status extends number>(name: string, status: number): StatusErrorClass<Status> {
  const title = `${name}Error`
  classes[status] = class extends ApiError<never> {
    // Consoles print the class name before the error's own name.
    static override name = title
    override name = title
  }
  return classes[status] as never
}

/**
 * 400: the path, query or body is invalid.
 *
 * @example
 * const error = await client.createAlertConfig({ groupId, body: { eventTypeName: 'HOST_DOWN', notifications: [] } }).catch((thrown) => thrown)
 * if (error instanceof BadRequestError) console.log(error.detail, error.parameters)
 */
export const BadRequestError: StatusErrorClass<400> = /* @__PURE__ */ define<400>('BadRequest', 400)
export type BadRequestError = InstanceType<typeof BadRequestError>

/**
 * The credentials are missing, wrong or rejected, either by the API (401) or by the token endpoint (400, 401, 403).
 *
 * @example
 * const error = await client.getAlert({ groupId, alertId }).catch((thrown) => thrown)
 * if (error instanceof AuthenticationError) console.log(error.status)
 */
export const AuthenticationError: StatusErrorClass<number> = /* @__PURE__ */ define<number>(
  'Authentication',
  401,
)
export type AuthenticationError = InstanceType<typeof AuthenticationError>

/**
 * 403: the credentials are valid but don't have the required role, or the request comes from an address that isn't
 * allowed.
 *
 * @example
 * const error = await client.getAlert({ groupId, alertId }).catch((thrown) => thrown)
 * if (error instanceof PermissionError) console.log(error.detail)
 */
export const PermissionError: StatusErrorClass<403> = /* @__PURE__ */ define<403>('Permission', 403)
export type PermissionError = InstanceType<typeof PermissionError>

/**
 * 404: the resource doesn't exist, or the credentials have no access to it. After a delete, check `attempts`:
 * an earlier attempt may have succeeded.
 *
 * @example
 * const error = await client.getAlert({ groupId, alertId }).catch((thrown) => thrown)
 * if (error instanceof NotFoundError) console.log(error.errorCode, error.attempts)
 */
export const NotFoundError: StatusErrorClass<404> = /* @__PURE__ */ define<404>('NotFound', 404)
export type NotFoundError = InstanceType<typeof NotFoundError>

/**
 * 405: the path doesn't support this method.
 *
 * @example
 * const error = await client.getAlert({ groupId, alertId }).catch((thrown) => thrown)
 * if (error instanceof MethodNotAllowedError) console.log(error.method, error.path)
 */
export const MethodNotAllowedError: StatusErrorClass<405> = /* @__PURE__ */ define<405>(
  'MethodNotAllowed',
  405,
)
export type MethodNotAllowedError = InstanceType<typeof MethodNotAllowedError>

/**
 * 406: the operation has no version for the requested date.
 *
 * @example
 * const error = await client.getAlert({ groupId, alertId }).catch((thrown) => thrown)
 * if (error instanceof NotAcceptableError) console.log(error.version)
 */
export const NotAcceptableError: StatusErrorClass<406> = /* @__PURE__ */ define<406>('NotAcceptable', 406)
export type NotAcceptableError = InstanceType<typeof NotAcceptableError>

/**
 * 409: the resource's state doesn't allow the request. Check `attempts`: an earlier attempt may have succeeded.
 *
 * @example
 * const error = await client.takeSnapshot({ groupId, clusterName, body: { retentionInDays: 7 } }).catch((thrown) => thrown)
 * if (error instanceof ConflictError) console.log(error.errorCode, error.attempts)
 */
export const ConflictError: StatusErrorClass<409> = /* @__PURE__ */ define<409>('Conflict', 409)
export type ConflictError = InstanceType<typeof ConflictError>

/**
 * 410: this version is no longer available.
 *
 * @example
 * const error = await client.getAlert({ groupId, alertId }).catch((thrown) => thrown)
 * if (error instanceof GoneError) console.log(error.version)
 */
export const GoneError: StatusErrorClass<410> = /* @__PURE__ */ define<410>('Gone', 410)
export type GoneError = InstanceType<typeof GoneError>

/**
 * 413: the body is too large.
 *
 * @example
 * const error = await client.createAlertConfig({ groupId, body: { eventTypeName: 'HOST_DOWN', notifications: [] } }).catch((thrown) => thrown)
 * if (error instanceof PayloadTooLargeError) console.log(error.detail)
 */
export const PayloadTooLargeError: StatusErrorClass<413> = /* @__PURE__ */ define<413>('PayloadTooLarge', 413)
export type PayloadTooLargeError = InstanceType<typeof PayloadTooLargeError>

/**
 * 415: the server doesn't accept this media type.
 *
 * @example
 * const error = await client.createAlertConfig({ groupId, body: { eventTypeName: 'HOST_DOWN', notifications: [] } }).catch((thrown) => thrown)
 * if (error instanceof UnsupportedMediaTypeError) console.log(error.detail)
 */
export const UnsupportedMediaTypeError: StatusErrorClass<415> = /* @__PURE__ */ define<415>(
  'UnsupportedMediaType',
  415,
)
export type UnsupportedMediaTypeError = InstanceType<typeof UnsupportedMediaTypeError>

/**
 * 429: the client sent too many requests. The client also throws this error without sending a request if the server
 * asked for a longer pause than `maxRetryAfterMs` allows.
 *
 * @example
 * const error = await client.getAlert({ groupId, alertId }).catch((thrown) => thrown)
 * if (error instanceof RateLimitError) console.log(error.retryAfterMs)
 */
export const RateLimitError: StatusErrorClass<429> = /* @__PURE__ */ define<429>('RateLimit', 429)
export type RateLimitError = InstanceType<typeof RateLimitError>

/**
 * 503: the server is temporarily unavailable.
 *
 * @example
 * const error = await client.getAlert({ groupId, alertId }).catch((thrown) => thrown)
 * if (error instanceof UnavailableError) console.log(error.retryAfterMs)
 */
export const UnavailableError: StatusErrorClass<503> = /* @__PURE__ */ define<503>('Unavailable', 503)
export type UnavailableError = InstanceType<typeof UnavailableError>

/**
 * Any other status of 500 or above: the server failed.
 *
 * @example
 * const error = await client.getAlert({ groupId, alertId }).catch((thrown) => thrown)
 * if (error instanceof ServerError) console.log(error.status, error.requestId)
 */
export const ServerError: StatusErrorClass<number> = /* @__PURE__ */ define<number>('Server', 500)
export type ServerError = InstanceType<typeof ServerError>

/** Returns all classes by name. A constant would keep unused classes in bundles. */
export function statusClasses(): Record<string, { readonly prototype: object }> {
  return {
    BadRequestError,
    AuthenticationError,
    PermissionError,
    NotFoundError,
    MethodNotAllowedError,
    NotAcceptableError,
    ConflictError,
    GoneError,
    PayloadTooLargeError,
    UnsupportedMediaTypeError,
    RateLimitError,
    UnavailableError,
    ServerError,
  }
}

/**
 * Keeps all classes in a bundle so that each error is an instance of the class for its status. Each class registers
 * itself, but bundlers drop unused classes.
 */
export function keepClasses(): void {
  Object.assign(classes, statusClasses())
}

/**
 * Creates an error with the class for its status. If the bundle doesn't contain the class, the error is an `ApiError`.
 */
export function createApiError(context: CallContext, problem: ApiProblem): ApiError<number, OpenErrorCode> {
  const { status } = problem
  const Class = classes[status] ?? classes[Math.min(status, 500)] ?? ApiError
  return new Class(context, problem as never)
}

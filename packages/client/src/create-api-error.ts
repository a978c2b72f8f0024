import { ApiError, type ApiProblem, type OpenErrorCode } from './errors.ts'
import type { CallContext } from './fetch.ts'
import {
  AuthenticationError,
  BadRequestError,
  ConflictError,
  GoneError,
  MethodNotAllowedError,
  NotAcceptableError,
  NotFoundError,
  PayloadTooLargeError,
  PermissionError,
  RateLimitError,
  ServerError,
  UnavailableError,
  UnsupportedMediaTypeError,
} from './status-errors.ts'

type ErrorClass = new (context: CallContext, problem: ApiProblem & { readonly status: never }) => ApiError

const classes: Readonly<Record<number, ErrorClass>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  405: MethodNotAllowedError,
  406: NotAcceptableError,
  409: ConflictError,
  410: GoneError,
  413: PayloadTooLargeError,
  415: UnsupportedMediaTypeError,
  429: RateLimitError,
  503: UnavailableError,
}

/** The error of the class that belongs to the status. */
export function createApiError(context: CallContext, problem: ApiProblem): ApiError<number, OpenErrorCode> {
  const Class = classes[problem.status] ?? (problem.status >= 500 ? ServerError : ApiError)
  return new Class(context, problem as ApiProblem & { readonly status: never })
}

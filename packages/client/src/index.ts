import './share-classes.ts'

export type * from '#api'
export type { AccessToken, ClientCredentials, Credentials, StaticCredentials } from './auth/credentials.ts'
export type { DigestCredentials } from './auth/digest.ts'
export type { Token, TokenStore } from './auth/token-source.ts'
export type { Call, Failure, Outcome, ResponseHeaders, ResponseReply, Success } from './call.ts'
export type { Clock } from './clock.ts'
export {
  type ClientOptions,
  createClient,
  createPartialClient,
  type PartialClient,
  type PartialClientOptions,
} from './create-client.ts'
export {
  type DeprecationNotice,
  type DeprecationWatch,
  type OnDeprecation,
  watchDeprecation,
} from './deprecation.ts'
export { fromEnv, withDefaults } from './environment.ts'
export {
  ApiError,
  type ApiProblem,
  ClientError,
  isErrorCode,
  NetworkError,
  type OpenErrorCode,
  ParseError,
  TimeoutError,
} from './errors.ts'
export {
  type ApiRequest,
  type CallContext,
  type Fetch,
  type Middleware,
  type PlatformFetch,
  withHeaders,
} from './fetch.ts'
export { type ParseJson, parseBigIntegers } from './json.ts'
export { createLog, type LogFields, type Logger, type LogOptions } from './log.ts'
export type { CallObservation, Observer } from './observer.ts'
export type { OperationRow } from './operation-row.ts'
export type { CallOptions, CallSettings, TransportOptions } from './options.ts'
export { type OtherKindOf, otherKind } from './other-kind.ts'
export type { ArrayOptions, OtherKind, WaitFor } from './public-types.ts'
export { parseRateLimit, type RateLimit } from './rate-limit.ts'
export type { RetryBudgetOptions } from './retry-budget.ts'
export type { RetryOptions } from './retry-policy.ts'
export {
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
  type StatusErrorClass,
  UnavailableError,
  UnsupportedMediaTypeError,
} from './status-errors.ts'
export { createTracer, type SpanLike, type TracerLike } from './tracer.ts'
export { type Lifecycle, WaitError, type WaitOptions, type WaitProgress, waitFor } from './wait-for.ts'

import type { Credentials } from './auth/credentials.ts'
import type { TokenStore } from './auth/token-source.ts'
import type { Clock } from './clock.ts'
import type { Middleware, PlatformFetch } from './fetch.ts'
import type { ParseJson } from './json.ts'
import type { Observer } from './observer.ts'
import type { RetryBudgetOptions } from './retry-budget.ts'
import type { RetryOptions } from './retry-policy.ts'

/** What can be set for a client, and otherwise for one call. */
export interface CallSettings {
  /** Milliseconds for one attempt, body included; above 0, 60 s by default. */
  readonly timeoutMs?: number | undefined
  /** Milliseconds for the call with all its attempts and waits; above 0, 5 minutes by default. */
  readonly totalTimeoutMs?: number | undefined
  /** How often a call is made again, and after how long: twice by default, and a POST or PATCH only after 429. */
  readonly retry?: RetryOptions | undefined
  /** Sent with the request, over what the client sets, apart from `authorization` where there are credentials. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Reads bodies; by default one that refuses integers above 2^53 rather than to round them. */
  readonly parseJson?: ParseJson | undefined
}

/** Settings of one call. */
export interface CallOptions extends CallSettings {
  /** Ends the call at once, whatever it is waiting for. */
  readonly signal?: AbortSignal | undefined
}

/** Settings of a client, apart from its version. */
export interface TransportOptions extends CallSettings {
  /** The http(s) address of the service before `/api/svc`, for example `https://cloud.example.com`. */
  readonly baseUrl: string | URL
  /** A key, a service account, a token, or a function that gives one of them. */
  readonly credentials?: Credentials | undefined
  /** Instead of the platform's `fetch`. */
  readonly fetch?: PlatformFetch | undefined
  /** Runs once per attempt, the first one outermost. */
  readonly middleware?: readonly Middleware[] | undefined
  /** Keeps access tokens outside of the client. */
  readonly tokenStore?: TokenStore | undefined
  /** Bounds the retries of all calls of the client together. */
  readonly retryBudget?: RetryBudgetOptions | undefined
  /** Told of each call and attempt; see `createTracer`. */
  readonly observer?: Observer | undefined
  /** Instead of the system's, for tests. */
  readonly clock?: Clock | undefined
  /** Instead of `Math.random`, for tests. */
  readonly random?: (() => number) | undefined
}

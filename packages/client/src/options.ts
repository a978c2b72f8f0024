import type { Credentials } from './auth/credentials.ts'
import type { TokenStore } from './auth/token-source.ts'
import type { Clock } from './clock.ts'
import type { Middleware, PlatformFetch } from './fetch.ts'
import type { ParseJson } from './json.ts'
import type { Observer } from './observer.ts'
import type { RetryBudgetOptions } from './retry-budget.ts'
import type { RetryOptions } from './retry-policy.ts'

/** Client options that each call can override. */
export interface CallSettings {
  /**
   * The timeout for one attempt, including the time to read the body, in milliseconds. Must be greater than 0. Default:
   * 60 s.
   */
  readonly timeoutMs?: number | undefined
  /**
   * The timeout for the whole call, including all attempts and waits, in milliseconds. Must be greater than 0. Default:
   * 5 minutes.
   */
  readonly totalTimeoutMs?: number | undefined
  /**
   * The number and timing of retries. By default, calls are retried twice. POST and PATCH are retried only after a 429.
   */
  readonly retry?: RetryOptions | undefined
  /**
   * Request headers. These headers override the client's own headers, except `authorization` if you set `credentials`.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /**
   * Parses response bodies. By default, integers above 2^53 are rejected, because JavaScript numbers would round them.
   */
  readonly parseJson?: ParseJson | undefined
}

/** Options for one call. */
export interface CallOptions extends CallSettings {
  /** Ends the call when the signal is aborted. */
  readonly signal?: AbortSignal | undefined
}

/** A client's options, without its version. */
export interface TransportOptions extends CallSettings {
  /** The service's http(s) address without `/api/svc`, for example `https://cloud.example.com`. */
  readonly baseUrl: string | URL
  /** An API key, a service account, an access token, or a function that returns one of them. */
  readonly credentials?: Credentials | undefined
  /** Replaces the platform's `fetch`. */
  readonly fetch?: PlatformFetch | undefined
  /** Middleware, which runs once per attempt. The first middleware in the list is the outermost. */
  readonly middleware?: readonly Middleware[] | undefined
  /** Stores access tokens outside the client. */
  readonly tokenStore?: TokenStore | undefined
  /** Limits the total number of retries across all of the client's calls. */
  readonly retryBudget?: RetryBudgetOptions | undefined
  /** Observes calls and attempts. See `createTracer`. */
  readonly observer?: Observer | undefined
  /** Replaces the system clock in tests. */
  readonly clock?: Clock | undefined
  /** Replaces `Math.random` in tests. */
  readonly random?: (() => number) | undefined
}

import { tokenOperation, tokenRequests } from '#tables/constants'
import { type Authentication, authenticate } from './auth/credentials.ts'
import { createRateWindow } from './auth/rate-window.ts'
import { createTokenRequest } from './auth/token-request.ts'
import type { Clock } from './clock.ts'
import { compose } from './fetch.ts'
import type { TransportOptions } from './options.ts'
import { fromPlatform } from './platform-fetch.ts'
import type { RetryPolicy } from './retry-policy.ts'

/** The resolved settings that the layers below the retry loop share. */
export interface SendSettings {
  readonly baseUrl: string
  readonly clock: Clock
  readonly policy: RetryPolicy
  readonly timeoutMs: number
}

/** Puts the layers of one attempt together: middleware around authentication around the platform's `fetch`. */
export function createSends(client: TransportOptions, settings: SendSettings): Authentication {
  const { baseUrl, clock, policy, timeoutMs } = settings
  // Looked up at each call: test kits and instrumentation replace the global one later.
  const fetch = fromPlatform(client.fetch ?? ((url, init) => globalThis.fetch(url, init)))
  const window = createRateWindow({ ...tokenRequests, clock, longestWaitMs: policy.maxRetryAfterMs })
  const { api, basic } = authenticate(fetch, {
    credentials: client.credentials,
    origin: new URL(baseUrl).origin,
    clock,
    store: client.tokenStore,
    requestToken: (credentials) =>
      createTokenRequest({
        credentials,
        url: baseUrl + tokenOperation.path,
        operation: tokenOperation,
        fetch,
        clock,
        policy,
        timeoutMs,
        window,
      }),
  })
  const middleware = client.middleware ?? []
  return { api: compose(middleware, api), basic: compose(middleware, basic) }
}

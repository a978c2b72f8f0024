import { tokenRequests } from '#tables/constants'
import { type Authentication, authenticate } from './auth/credentials.ts'
import { withRateWindow } from './auth/rate-window.ts'
import { createTokenRequest } from './auth/token-request.ts'
import { compose } from './fetch.ts'
import type { TransportOptions } from './options.ts'
import { createPause } from './pause.ts'
import { fromPlatform } from './platform-fetch.ts'
import type { RetryState } from './retry.ts'
import type { RetryPolicy } from './retry-policy.ts'

/** The resolved settings that the layers below the retry loop share. */
export interface SendSettings {
  readonly baseUrl: string
  readonly state: RetryState
  readonly policy: RetryPolicy
  readonly timeoutMs: number
}

/** Puts the layers of one attempt together: middleware around authentication around the platform's `fetch`. */
export function createSends(client: TransportOptions, settings: SendSettings): Authentication {
  const { baseUrl, policy, timeoutMs } = settings
  const { clock, random } = settings.state
  // Looked up at each call: test kits and instrumentation replace the global one later.
  const fetch = fromPlatform(client.fetch ?? ((url, init) => globalThis.fetch(url, init)))
  // The token endpoint is limited by itself: its pause is not that of the API.
  const state = { ...settings.state, pause: createPause(clock, random) }
  const sends = authenticate(fetch, {
    credentials: client.credentials,
    origin: new URL(baseUrl).origin,
    clock,
    store: client.tokenStore,
    requestToken: (basic) => {
      const send = withRateWindow(basic, tokenRequests, state.pause, clock)
      return createTokenRequest({ send, baseUrl, state, policy, timeoutMs })
    },
  })
  const middleware = client.middleware ?? []
  return { api: compose(middleware, sends.api), basic: compose(middleware, sends.basic) }
}

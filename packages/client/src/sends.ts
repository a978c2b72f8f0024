import { tokenRequests } from '#tables/constants'
import { type Authentication, authenticate } from './auth/credentials.ts'
import { withRateWindow } from './auth/rate-window.ts'
import { createTokenRequest } from './auth/token-request.ts'
import { compose } from './fetch.ts'
import type { TransportOptions } from './options.ts'
import { createPause } from './pause.ts'
import { fromPlatform } from './platform-fetch.ts'
import type { SendSettings } from './send-settings.ts'

/** Puts the layers of one attempt together: middleware around authentication around the platform's `fetch`. */
export function createSends(client: TransportOptions, settings: SendSettings): Authentication {
  const { clock, random } = settings.state
  // Looked up at each call: test kits and instrumentation replace the global one later.
  const fetch = fromPlatform(client.fetch ?? ((url, init) => globalThis.fetch(url, init)))
  // The token endpoint is limited by itself: its pause is not that of the API.
  const state = { ...settings.state, pause: createPause(clock, random) }
  const sends = authenticate(fetch, {
    ...client,
    baseUrl: settings.baseUrl,
    clock,
    requestToken: (basic) =>
      createTokenRequest(withRateWindow(basic, tokenRequests, state.pause, clock), { ...settings, state }),
  })
  const { middleware = [] } = client
  return { api: compose(middleware, sends.api), basic: compose(middleware, sends.basic) }
}

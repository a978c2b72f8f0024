import { tokenRequests } from '#tables/constants'
import { type Authentication, authenticate } from './auth/credentials.ts'
import { withRateWindow } from './auth/rate-window.ts'
import { createTokenRequest } from './auth/token-request.ts'
import { compose } from './fetch.ts'
import type { TransportOptions } from './options.ts'
import { createPause } from './pause.ts'
import { fromPlatform } from './platform-fetch.ts'
import type { SendSettings } from './send-settings.ts'

/** Combines the layers of one attempt: middleware around authentication around the platform's `fetch`. */
export function createPipeline(client: TransportOptions, settings: SendSettings): Authentication {
  const { clock, random } = settings.state
  // Read at each call, because test kits and instrumentation replace the global `fetch` later.
  const fetch = fromPlatform(client.fetch ?? ((url, init) => globalThis.fetch(url, init)))
  // The token endpoint has its own rate limit, so its pause isn't the API's.
  const state = { ...settings.state, pause: createPause(clock, random) }
  const pipeline = authenticate(fetch, {
    ...client,
    baseUrl: settings.baseUrl,
    clock,
    requestToken: (basic) =>
      createTokenRequest(withRateWindow(basic, tokenRequests, state.pause, clock), { ...settings, state }),
  })
  const { middleware = [] } = client
  return { api: compose(middleware, pipeline.api), basic: compose(middleware, pipeline.basic) }
}

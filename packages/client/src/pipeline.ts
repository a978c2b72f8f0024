import { tokenRequests } from '#tables/constants'
import { authenticate } from './auth/credentials.ts'
import { withRateWindow } from './auth/rate-window.ts'
import { createTokenRequest } from './auth/token-request.ts'
import type { Fetch } from './fetch.ts'
import type { TransportOptions } from './options.ts'
import { createPause } from './pause.ts'
import { fromPlatform } from './platform-fetch.ts'
import type { SendSettings } from './send-settings.ts'

/**
 * Combines the layers that process an attempt. Authentication wraps the platform's `fetch`, and middleware wraps
 * authentication.
 */
export function createPipeline(client: TransportOptions, settings: SendSettings): Fetch {
  const { clock, random } = settings.state
  // Look up the global `fetch` for each call because test kits and instrumentation may replace it later.
  const fetch = fromPlatform(client.fetch ?? ((url, init) => globalThis.fetch(url, init)))
  // The token endpoint has its own rate limit, so the API's pause doesn't apply to it.
  const state = { ...settings.state, pause: createPause(clock, random) }
  const send: Fetch = authenticate(fetch, {
    ...client,
    baseUrl: settings.baseUrl,
    clock,
    request: createTokenRequest(
      withRateWindow((request) => send(request), tokenRequests, state.pause, clock),
      { ...settings, state },
    ),
  })
  // The first middleware is the outermost.
  return (client.middleware ?? []).reduceRight<Fetch>((next, each) => (request) => each(request, next), send)
}

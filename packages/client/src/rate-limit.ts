/** The server's rate limit, from either the three `RateLimit-*` headers or the single header in the draft. */
export interface RateLimit {
  readonly limit?: number
  readonly remaining?: number
  /** The number of milliseconds until the window resets. */
  readonly resetMs?: number
}

/**
 * Reads `RateLimit-Limit`, `-Remaining` and `-Reset`, or `RateLimit: "name";r=9;t=30` with `RateLimit-Policy:
 * "name";q=10` (draft-ietf-httpapi-ratelimit-headers). Returns undefined if the response has none of these headers.
 *
 * @example
 * const { data, response } = await client.listAlerts({ groupId }).withResponse()
 * console.log(parseRateLimit(response.headers)?.remaining)
 */
export function parseRateLimit(headers: Headers): RateLimit | undefined {
  const limit = integer(headers.get('ratelimit-limit')) ?? parameter(headers.get('ratelimit-policy'), 'q')
  const remaining = integer(headers.get('ratelimit-remaining')) ?? parameter(headers.get('ratelimit'), 'r')
  const reset = integer(headers.get('ratelimit-reset')) ?? parameter(headers.get('ratelimit'), 't')
  if (limit === undefined && remaining === undefined && reset === undefined) return undefined
  return {
    ...(limit !== undefined && { limit }),
    ...(remaining !== undefined && { remaining }),
    ...(reset !== undefined && { resetMs: reset * 1000 }),
  }
}

function integer(value: string | null | undefined): number | undefined {
  return value && /^\d+$/.test(value) ? Number(value) : undefined
}

/**
 * Reads a parameter from the first item only. If a server sends several policies, the first item is the one closest to
 * its limit.
 */
function parameter(value: string | null, name: string): number | undefined {
  return integer(value?.split(',')[0]?.match(new RegExp(`[;,]\\s*${name}=(\\d+)`))?.[1])
}

import { type Answer, readError } from './answer.ts'
import type { Clock } from './clock.ts'
import { withDeadline } from './deadline.ts'
import type { DeprecationWatch } from './deprecation.ts'
import { NetworkError, TimeoutError } from './errors.ts'
import type { ApiRequest, Fetch } from './fetch.ts'
import { describeCause } from './platform-fetch.ts'

export interface AttemptOptions {
  readonly clock: Clock
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  readonly watch?: DeprecationWatch | undefined
}

/**
 * Sends a request once, body included, within its time.
 *
 * @param limitMs the limit that the caller has set, of which `timeoutMs` may be what is left.
 * @throws ApiError for a status that is an error; TimeoutError, NetworkError, the reason of the signal.
 */
export function attempt(
  send: Fetch,
  request: Omit<ApiRequest, 'signal'>,
  { clock, timeoutMs, signal, watch }: AttemptOptions,
  limitMs = timeoutMs,
): Promise<Answer> {
  const { url, context } = request
  const work = async (inner: AbortSignal): Promise<Answer> => {
    const response = await send({ ...request, signal: inner })
    // Read already, or nothing at all: a mistake of some middleware, which another attempt does not mend.
    const { bodyUsed } = response
    let text: string
    try {
      text = await response.text()
    } catch (error) {
      // A connection that breaks off in the body is a failed attempt too.
      throw bodyUsed ? error : new NetworkError(context, describeCause(error), url)
    }
    const answer = { response, text, url }
    watch?.(context, response.headers, clock.now())
    if (!response.ok) throw readError(context, answer, clock.now())
    return answer
  }
  return withDeadline(work, {
    clock,
    signal,
    timeoutMs,
    onTimeout: () => new TimeoutError(context, limitMs),
  })
}

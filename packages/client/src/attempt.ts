import { type ReceivedResponse, readError } from './answer.ts'
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
  options: AttemptOptions,
  limitMs = options.timeoutMs,
): Promise<ReceivedResponse> {
  const { url, context } = request
  const work = async (inner: AbortSignal): Promise<ReceivedResponse> => {
    const response = await send({ ...request, signal: inner })
    const unread = response?.bodyUsed === false
    let text: string
    try {
      text = await response.text()
    } catch (error) {
      // A connection that breaks off in the body is a failed attempt too.
      if (unread) throw new NetworkError(context, describeCause(error), url)
      // Another attempt does not mend it.
      throw new TypeError(`${context.operationId}: no unread answer from fetch or middleware`)
    }
    const answer = { response, text, url }
    const now = options.clock.now()
    options.watch?.(context, response.headers, now)
    if (!response.ok) throw readError(context, answer, now)
    return answer
  }
  return withDeadline(work, { ...options, onTimeout: () => new TimeoutError(context, limitMs) })
}

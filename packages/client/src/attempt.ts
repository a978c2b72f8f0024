import type { Clock } from './clock.ts'
import { withDeadline } from './deadline.ts'
import type { DeprecationWatch } from './deprecation.ts'
import { NetworkError, TimeoutError } from './errors.ts'
import { type ApiRequest, copyRequest, type Fetch } from './fetch.ts'
import { describeCause } from './platform-fetch.ts'
import { readError } from './response.ts'
import type { BufferedResponse } from './transport-call.ts'

export interface AttemptOptions {
  readonly clock: Clock
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  readonly watch?: DeprecationWatch | undefined
}

/**
 * Sends a request once and reads the response body. Fails if the attempt takes longer than `timeoutMs`.
 *
 * @param limitMs The timeout set by the caller, for use in the error message. `timeoutMs` may be shorter because of the
 *   total timeout.
 * @throws ApiError for an error status. Also throws `TimeoutError`, `NetworkError`, or the signal's abort reason.
 */
export function attempt(
  send: Fetch,
  request: Omit<ApiRequest, 'signal'>,
  options: AttemptOptions,
  limitMs = options.timeoutMs,
): Promise<BufferedResponse> {
  const { url, headers, context } = request
  const work = async (inner: AbortSignal): Promise<BufferedResponse> => {
    const response = await send(copyRequest(request, headers, inner))
    // `fetch` or middleware returned something other than an unread response.
    // The value may be a mock that has only `json`, or a response that was already read.
    // A retry wouldn't help.
    if (response?.bodyUsed !== false) throw new TypeError(`${context.operationId}: no readable response`)
    let text = ''
    try {
      text = await response.text()
    } catch (error) {
      // The connection broke while the client was reading the body.
      // For an error response, the status is enough to create the error.
      if (response.ok) throw new NetworkError(context, describeCause(error), url)
    }
    const buffered = { response, text, url }
    const now = options.clock.now()
    options.watch?.(context, response.headers, now)
    if (!response.ok) throw readError(context, buffered, now)
    return buffered
  }
  return withDeadline(work, options, () => new TimeoutError(context, limitMs))
}

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
 * @throws ApiError for a status that is an error; TimeoutError, NetworkError, the reason of the signal.
 */
export async function attempt(
  send: Fetch,
  request: Omit<ApiRequest, 'signal'>,
  { clock, timeoutMs, signal, watch }: AttemptOptions,
): Promise<Answer> {
  const { context } = request
  const answer = await withDeadline((inner) => receive(send, { ...request, signal: inner }), {
    clock,
    signal,
    timeoutMs,
    onTimeout: () => new TimeoutError(context, timeoutMs),
  })
  watch?.(context, answer.response.headers)
  if (!answer.response.ok) throw readError(context, answer, clock.now())
  return answer
}

/** A connection that breaks off in the body is a failed attempt too. */
async function receive(send: Fetch, request: ApiRequest): Promise<Answer> {
  const response = await send(request)
  try {
    return { response, text: await response.text(), url: request.url }
  } catch (error) {
    throw new NetworkError(request.context, describeCause(error, undefined))
  }
}

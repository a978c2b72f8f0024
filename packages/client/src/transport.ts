import { type Answer, readError } from './answer.ts'
import { systemClock } from './clock.ts'
import { withDeadline } from './deadline.ts'
import { warnDeprecation, watchDeprecation } from './deprecation.ts'
import { NetworkError, TimeoutError } from './errors.ts'
import type { ApiRequest, CallContext, Fetch } from './fetch.ts'
import { tell } from './observer.ts'
import { isRepeatable, type OperationRow } from './operation-row.ts'
import type { CallOptions, TransportOptions } from './options.ts'
import { createPause } from './pause.ts'
import { describeCause } from './platform-fetch.ts'
import { type Arguments, buildRequest } from './request.ts'
import { withRetry } from './retry.ts'
import { createRetryBudget } from './retry-budget.ts'
import { defaultRetryPolicy } from './retry-policy.ts'
import { createSends } from './sends.ts'

/** One call, from its arguments to a successful answer. */
export type Transport = (call: TransportCall) => Promise<Answer>

export interface TransportCall {
  readonly row: OperationRow
  readonly args: Arguments
  readonly options: CallOptions
  readonly context: CallContext
}

const defaults = { timeoutMs: 60_000, totalTimeoutMs: 300_000 }

/** Everything between a call and the platform's `fetch`; the views of a client on other versions share it. */
export function createTransport(client: TransportOptions): Transport {
  const { clock = systemClock, random = Math.random, observer } = client
  const baseUrl = new URL(client.baseUrl).href.replace(/\/+$/, '')
  const pause = createPause(clock, random)
  const state = { clock, random, pause, budget: createRetryBudget(client.retryBudget) }
  const notice = watchDeprecation(client.onDeprecation ?? warnDeprecation)
  const policy = { ...defaultRetryPolicy, ...client.retry }
  const sends = createSends(client, {
    baseUrl,
    clock,
    policy,
    timeoutMs: client.timeoutMs ?? defaults.timeoutMs,
  })

  return async ({ row, args, options, context }) => {
    const { timeoutMs, totalTimeoutMs } = { ...defaults, ...client, ...options }
    const observation = observer?.(context)
    const headers = { ...client.headers, ...options.headers, ...observation?.headers }
    const request = buildRequest(row, args, { baseUrl, headers, context })
    const send = row.basic ? sends.basic : sends.api
    const { signal } = options

    const attempt = async (leftMs: number): Promise<Answer> => {
      const limitMs = Math.min(timeoutMs, leftMs)
      const answer = await withDeadline((inner) => receive(send, { ...request, signal: inner }), {
        clock,
        signal,
        timeoutMs: limitMs,
        onTimeout: () => new TimeoutError(context, limitMs),
      })
      notice(context, answer.response.headers)
      if (!answer.response.ok) throw readError(context, answer, args.envelope === true, clock.now())
      return answer
    }

    const call = {
      context,
      policy: options.retry ? { ...policy, ...options.retry } : policy,
      repeatable: isRepeatable(row),
      totalTimeoutMs,
      signal,
    }
    const work = withRetry(call, state, (leftMs) => tell(attempt(leftMs), observation?.attempt))
    return tell(work, observation?.end)
  }
}

/** The response with its body: a connection that breaks off in the body is a failed attempt too. */
async function receive(send: Fetch, request: ApiRequest): Promise<Answer> {
  const response = await send(request)
  try {
    return { response, text: await response.text(), url: request.url }
  } catch (error) {
    throw new NetworkError(request.context, describeCause(error, undefined))
  }
}

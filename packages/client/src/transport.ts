import { attempt } from './attempt.ts'
import type { ShowCaller } from './caller.ts'
import { systemClock } from './clock.ts'
import type { DeprecationWatch } from './deprecation.ts'
import { mergeHeaders } from './fetch.ts'
import { type CallObservation, observe } from './observer.ts'
import { createContext, isRepeatable } from './operation-row.ts'
import type { TransportOptions } from './options.ts'
import { createPause } from './pause.ts'
import { createPipeline } from './pipeline.ts'
import { buildRequest } from './request.ts'
import { readBody } from './response.ts'
import { withRetry } from './retry.ts'
import { createRetryBudget } from './retry-budget.ts'
import { defaultRetryPolicy } from './retry-policy.ts'
import { defaultLimits, readBaseUrl, readNumbers } from './settings.ts'
import type { Transport } from './transport-call.ts'
import { resolveVersion } from './version.ts'

/** Creates all layers between a call and the platform's `fetch`. Clients for different versions share one transport. */
export function createTransport(
  client: TransportOptions,
  watch?: DeprecationWatch,
  showCaller?: ShowCaller,
): Transport {
  const { clock = systemClock, random = Math.random, observer } = client
  const baseUrl = readBaseUrl(client.baseUrl)
  const budget = createRetryBudget(client.retryBudget)
  const state = { clock, random, pause: createPause(clock, random), budget }
  const clientPolicy = readNumbers(client.retry, defaultRetryPolicy)
  const clientLimits = readNumbers(client, defaultLimits, '>')
  const send = createPipeline(client, { baseUrl, state, policy: clientPolicy, ...clientLimits })

  return async function transport(call) {
    const { row, args, options, build = buildRequest, read = readBody } = call
    const context = createContext(row, resolveVersion(row, call.version))
    let observation: CallObservation | undefined
    try {
      const request = build(row, args, { baseUrl, headers: [client.headers, options?.headers], context })
      observation = observer?.(context, request.url)
      mergeHeaders(request.headers, [observation?.headers])
      const signal = options?.signal
      const { timeoutMs, totalTimeoutMs } = readNumbers(options, clientLimits, '>')
      const policy = readNumbers(options?.retry, clientPolicy)
      const response = await withRetry(
        { context, policy, repeatable: isRepeatable(row), totalTimeoutMs, signal },
        state,
        (leftMs) =>
          observe(
            attempt(
              send,
              request,
              { clock, timeoutMs: Math.min(timeoutMs, leftMs), signal, watch },
              leftMs < timeoutMs ? totalTimeoutMs : timeoutMs,
            ),
            observation,
          ),
      )
      const outcome = read(call, context, response)
      observation?.end?.(undefined, response.response.status)
      return outcome
    } catch (failure) {
      const error = showCaller?.(failure, transport, row.id) ?? failure
      // If the arguments are invalid, no request exists yet, so the observer gets the base URL.
      observation ??= observer?.(context, baseUrl)
      observation?.end?.(error)
      throw error
    }
  }
}

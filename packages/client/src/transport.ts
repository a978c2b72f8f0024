import { attempt } from './attempt.ts'
import type { RawOutcome } from './call.ts'
import { systemClock } from './clock.ts'
import type { DeprecationWatch } from './deprecation.ts'
import type { ApiRequest, CallContext } from './fetch.ts'
import type { ParseJson } from './json.ts'
import { type CallObservation, observe } from './observer.ts'
import { isRepeatable, type OperationRow } from './operation-row.ts'
import type { CallOptions, TransportOptions } from './options.ts'
import { createPause } from './pause.ts'
import { createPipeline } from './pipeline.ts'
import { type Arguments, buildRequest } from './request.ts'
import { type BufferedResponse, readBody } from './response.ts'
import { withRetry } from './retry.ts'
import { createRetryBudget } from './retry-budget.ts'
import { defaultRetryPolicy } from './retry-policy.ts'
import { defaultLimits, readBaseUrl, readNumbers } from './settings.ts'
import { tolerate } from './tolerate.ts'

/** Runs one call, from its arguments to a parsed response. */
export type Transport = (call: TransportCall) => Promise<RawOutcome>

export interface TransportCall {
  readonly row: OperationRow
  readonly args: Arguments
  readonly options: CallOptions
  readonly context: CallContext
  readonly parseJson: ParseJson
}

/** Creates everything between a call and the platform's `fetch`. Clients for other versions share it. */
export function createTransport(client: TransportOptions, watch?: DeprecationWatch): Transport {
  const deliver = createDelivery(client, watch)
  return (call) => {
    const { row, args, context, options } = call
    const build: BuildRequest = (baseUrl, observed) =>
      buildRequest(row, args, { baseUrl, headers: [client.headers, options.headers, observed], context })
    return deliver(call, build, (response) => readBody(call, response))
  }
}

type CallHeaders = Readonly<Record<string, string>>

/** Builds the request of a call, with the headers that the observer of the call adds. */
export type BuildRequest = (baseUrl: string, observed: CallHeaders | undefined) => Omit<ApiRequest, 'signal'>

/** What a delivery needs to know of a call. */
export type DeliveredCall = Pick<TransportCall, 'row' | 'options' | 'context'>

/** Sends what `build` returns, with retries and within its limits, and reads the successful response with `read`. */
export type Delivery = <T>(
  call: DeliveredCall,
  build: BuildRequest,
  read: (response: BufferedResponse) => T,
) => Promise<T>

/** The part of the transport that calls by name and `createFetch` share. */
export function createDelivery(client: TransportOptions, watch?: DeprecationWatch): Delivery {
  const { clock = systemClock, random = Math.random, observer } = client
  const baseUrl = readBaseUrl(client.baseUrl)
  const budget = createRetryBudget(client.retryBudget)
  const state = { clock, random, pause: createPause(clock, random), budget }
  const clientPolicy = readNumbers(client.retry, defaultRetryPolicy)
  const clientLimits = readNumbers(client, defaultLimits, '>')
  const pipeline = createPipeline(client, { baseUrl, state, policy: clientPolicy, ...clientLimits })

  return async (call, build, read) => {
    const { row, options, context } = call
    // Awaiting a promise here would delay the call beyond its timeouts.
    let observation: CallObservation | undefined
    if (observer) void tolerate(() => (observation = observer(context)))
    const work = async () => {
      const request = build(baseUrl, observation?.headers)
      const send = pipeline[row.basic ? 'basic' : 'api']
      const { signal } = options
      const { timeoutMs, totalTimeoutMs } = readNumbers(options, clientLimits, '>')
      const policy = readNumbers(options.retry, clientPolicy)
      const rules = { context, policy, repeatable: isRepeatable(row), totalTimeoutMs, signal }
      const response = await withRetry(rules, state, (leftMs) => {
        const limitMs = leftMs < timeoutMs ? totalTimeoutMs : timeoutMs
        return observe(
          attempt(send, request, { clock, timeoutMs: Math.min(timeoutMs, leftMs), signal, watch }, limitMs),
          'attempt',
          observation,
        )
      })
      return read(response)
    }
    return observe(work(), 'end', observation)
  }
}

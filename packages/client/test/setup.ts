import { type ClientOptions, createClient } from '../src/create-client.ts'
import type { CallContext } from '../src/fetch.ts'
import { createStubFetch, createTestClock, type Responder } from '../src/testing/index.ts'

export const baseUrl = 'https://cloud.example.com'
export const groupId = '64b7e1c20f3a5d6e7f809101'
export const alertId = '67a1b2c30f3a5d6e7f80a001'
export const path = { groupId, alertId }

/** Creates a client with a test clock and stubbed responses. `random` returns 0.5 by default. */
export function setup(respond: Responder, options: Partial<Omit<ClientOptions, 'version'>> = {}) {
  const clock = createTestClock()
  const stub = createStubFetch(respond)
  const settings = { baseUrl, fetch: stub.fetch, clock, random: () => 0.5, ...options }
  const client = createClient({ version: '2024-05-30', ...settings })
  return { clock, client, requests: stub.requests, settings }
}

/** Creates a response with the version that most operations have. */
export function response(
  body: unknown,
  headers: Record<string, string> = {},
  version = '2023-01-01',
): Response {
  return new Response(JSON.stringify(body), {
    headers: { 'content-type': `application/vnd.svc.${version}+json`, ...headers },
  })
}

export function context(overrides: Partial<CallContext> = {}): CallContext {
  const path = '/groups/{groupId}/alerts/{alertId}'
  return { operationId: 'getAlert', method: 'GET', path, version: '2023-01-01', attempts: 1, ...overrides }
}

export async function rejection(work: PromiseLike<unknown>): Promise<Error> {
  try {
    await work
  } catch (error) {
    if (error instanceof Error) return error
    throw new TypeError('something other than an error was thrown', { cause: error })
  }
  throw new Error('nothing was thrown')
}

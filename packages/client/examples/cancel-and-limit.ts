// Shows how to end calls early with a signal and a timeout. The client doesn't retry these calls.
import { createClient, TimeoutError } from '@svc-admin/client'
import { apiKey, baseUrl, groupId } from './environment.ts'

const client = createClient({ baseUrl, credentials: apiKey, version: '2025-03-12', timeoutMs: 10_000 })

const controller = new AbortController()
const call = client.listAlerts({ groupId }, { signal: controller.signal })
controller.abort(new Error('the user left the page'))
console.log(await call.catch((error: Error) => error.message))

const silent = createClient({
  baseUrl,
  version: '2025-03-12',
  // Simulates a server that never responds.
  fetch: () => new Promise(() => undefined),
})
const hurried = { totalTimeoutMs: 20, retry: { maxRetries: 0 } }
const error = await silent.listMatcherFieldNames({}, hurried).catch((thrown: unknown) => thrown)
if (error instanceof TimeoutError) console.log(error.message)

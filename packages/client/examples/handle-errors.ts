// Shows three ways to handle an error: by the status of the result, by error class, and by error code.
import { createClient, isErrorCode, PermissionError, RateLimitError } from '@svc-admin/client'
import { apiKey, baseUrl, groupId } from './environment.ts'

const client = createClient({ baseUrl, credentials: apiKey, version: '2025-03-12' })
const alertId = 'ffffffffffffffffffffffff'

const outcome = await client.getAlert({ groupId, alertId }).result()
if (outcome.status === 200) console.log(outcome.data.status)
else console.log(outcome.status, outcome.error?.errorCode)

try {
  await client.getAlert({ groupId: 'ffffffffffffffffffffffff', alertId })
} catch (error) {
  if (error instanceof RateLimitError) console.log('retry in (ms)', error.retryAfterMs)
  else if (error instanceof PermissionError) console.log('missing role:', error.detail)
  else if (isErrorCode(error, 'RESOURCE_NOT_FOUND')) console.log(error.status, error.reason, error.path)
  else throw error
}

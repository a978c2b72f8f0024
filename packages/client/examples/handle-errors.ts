// Three ways to meet an error: a result that is told apart by its status, a class, and a code of the catalogue.
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
  if (error instanceof RateLimitError) console.log('come back in', error.retryAfterMs)
  else if (error instanceof PermissionError) console.log('ask for the role:', error.detail)
  else if (isErrorCode(error, 'RESOURCE_NOT_FOUND')) console.log(error.status, error.reason, error.path)
  else throw error
}

// Middleware runs once per attempt, inside the retry loop.
// Middleware can change a request, return a response itself, or retry.
import { createClient, type Middleware, withHeaders } from '@svc-admin/client'
import { apiKey, baseUrl, groupId } from './environment.ts'

const tagged: Middleware = (request, next) => next(withHeaders(request, { 'x-team': 'orders' }))
const counted: Middleware = async (request, next) => {
  const response = await next(request)
  const { operationId, attempts } = request.context
  console.log(operationId, 'attempt', attempts, 'status', response.status)
  return response
}
const client = createClient({
  baseUrl,
  credentials: apiKey,
  version: '2025-03-12',
  middleware: [tagged, counted],
})
const { data, requestId } = await client.listAlerts({ groupId }).withResponse()
console.log(`alerts: ${data.totalCount}, has a request ID: ${requestId !== undefined}`)

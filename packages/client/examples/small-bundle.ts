// Creates a client with two operations.
// Bundlers remove all other operations and the features that only `createClient` includes.
import { createPartialClient } from '@svc-admin/client'
import { getAlert, listAlerts } from '@svc-admin/client/operations'
import { apiKey, baseUrl, groupId } from './environment.ts'

const client = createPartialClient({
  baseUrl,
  credentials: apiKey,
  version: '2025-03-12',
  operations: { getAlert, listAlerts },
})
const [first] = await client.listAlerts.toArray({ groupId }, { limit: 1 })
if (first) console.log((await client.getAlert({ groupId, alertId: first.id })).status)

// Uses a service account to acknowledge all open alerts for one day. Parallel calls share one token request.
import { createClient } from '@svc-admin/client'
import { baseUrl, groupId, serviceAccount } from './environment.ts'

const client = createClient({ baseUrl, credentials: serviceAccount, version: '2025-03-12' })
const acknowledgedUntil = new Date(Date.now() + 24 * 3_600_000).toISOString()
const open = await client.listAlerts.toArray({ groupId, status: 'OPEN' }, { limit: 100 })
const body = { acknowledgedUntil, acknowledgementComment: 'Known issue, the disks are being replaced.' }
const acknowledged = await Promise.all(
  open.map(({ id }) => client.acknowledgeAlert({ groupId, alertId: id, body })),
)
for (const alert of acknowledged)
  console.log(alert.eventTypeName, 'acknowledged:', alert.acknowledgementComment)

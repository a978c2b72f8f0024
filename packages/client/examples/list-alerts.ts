// Lists a project's open alerts with an API key.
// The client requests one Digest challenge and reuses its nonce.
// The client requests each page only when the loop reaches it.
import { createClient } from '@svc-admin/client'
import { apiKey, baseUrl, groupId } from './environment.ts'

const client = createClient({ baseUrl, credentials: apiKey, version: '2025-03-12' })
for await (const alert of client.listAlerts.items({ groupId, status: 'OPEN', itemsPerPage: 50 })) {
  console.log(alert.created, alert.eventTypeName, alert.status)
}

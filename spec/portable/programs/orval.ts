// Uses orval's client.
import {
  createAlertConfig,
  deleteAlertConfig,
  getAlert,
  listAlertConfigs,
  takeSnapshot,
} from './client/client'
import { baseUrl, check, clusterName, groupId, headers, missingId, step } from './steps'

// The client uses URLs without the server's address, so replace `fetch` with a function that adds it.
const { fetch } = globalThis
globalThis.fetch = (path, init) => fetch(`${baseUrl}${path}`, init)

await step('list', async () => {
  const response = await listAlertConfigs(groupId, {}, { headers })
  check(response.status === 200 && response.data.results[0]?.id)
})

await step('create and delete', async () => {
  const request = {
    eventTypeName: 'HOST_DOWN',
    notifications: [{ typeName: 'EMAIL' as const, emailAddress: 'oncall@lindgren.example' }],
  }
  const { status, data } = await createAlertConfig(groupId, request, {}, { headers })
  check(status === 200)
  const [notification] = data.notifications
  check(notification?.typeName === 'EMAIL' && 'emailAddress' in notification)
  // A 204 response has no schema, so the return type contains only error statuses.
  const deleted: { status: number } = await deleteAlertConfig(groupId, data.id, {}, { headers })
  check(deleted.status === 204)
})

await step('snapshot', async () => {
  const body = { description: 'Before the release', retentionInDays: 7 }
  const { status, data } = await takeSnapshot(groupId, clusterName, body, {}, { headers })
  check(status === 200 && data.status)
})

await step('typed 404', async () => {
  const { status, data } = await getAlert(groupId, missingId, {}, { headers })
  check(status === 404 && data.errorCode === 'RESOURCE_NOT_FOUND')
})

// Uses Kubb's client.
import type { GetAlert404 } from './client/index'
import {
  createAlertConfig,
  deleteAlertConfig,
  getAlert,
  listAlertConfigs,
  takeSnapshot,
} from './client/index'
import { baseUrl, check, clusterName, groupId, headers, mediaType, missingId, step } from './steps'

const config = { baseURL: baseUrl, headers: { ...headers, 'Content-Type': mediaType } }

await step('list', async () => {
  check((await listAlertConfigs(groupId, {}, config)).results[0]?.id)
})

await step('create and delete', async () => {
  const request = {
    eventTypeName: 'HOST_DOWN',
    notifications: [{ typeName: 'EMAIL' as const, emailAddress: 'oncall@lindgren.example' }],
  }
  const { id, notifications } = await createAlertConfig(groupId, request, {}, config)
  check(notifications[0]?.typeName === 'EMAIL' && 'emailAddress' in notifications[0])
  await deleteAlertConfig(groupId, id, {}, config)
})

await step('snapshot', async () => {
  const body = { description: 'Before the release', retentionInDays: 7 }
  check((await takeSnapshot(groupId, clusterName, body, {}, config)).status)
})

await step('typed 404', async () => {
  // The client returns an error body as if it were an alert.
  const body: object = await getAlert(groupId, missingId, {}, config)
  const isNotFound = (value: object): value is GetAlert404 => 'errorCode' in value
  check(isNotFound(body) && body.errorCode === 'RESOURCE_NOT_FOUND')
})

// Uses @hey-api/openapi-ts's client.
import { client } from './client/client.gen'
import {
  createAlertConfig,
  deleteAlertConfig,
  getAlert,
  listAlertConfigs,
  takeSnapshot,
} from './client/sdk.gen'
import { baseUrl, check, clusterName, groupId, headers, missingId, step } from './steps'

client.setConfig({ baseUrl, headers })

await step('list', async () => {
  const { data } = await listAlertConfigs({ path: { groupId } })
  check(data?.results[0]?.id)
})

await step('create and delete', async () => {
  const { data } = await createAlertConfig({
    path: { groupId },
    body: {
      eventTypeName: 'HOST_DOWN',
      notifications: [{ typeName: 'EMAIL', emailAddress: 'oncall@lindgren.example' }],
    },
  })
  const [notification] = data?.notifications ?? []
  check(data && notification?.typeName === 'EMAIL' && 'emailAddress' in notification)
  const { error } = await deleteAlertConfig({ path: { groupId, alertConfigId: data.id } })
  check(error === undefined)
})

await step('snapshot', async () => {
  const body = { description: 'Before the release', retentionInDays: 7 }
  const { data } = await takeSnapshot({ path: { groupId, clusterName }, body })
  check(data?.status)
})

await step('typed 404', async () => {
  const { error } = await getAlert({ path: { groupId, alertId: missingId } })
  check(error?.errorCode === 'RESOURCE_NOT_FOUND')
})

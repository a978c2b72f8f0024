// Uses openapi-zod-client's client, which validates requests and responses.
import { isErrorFromAlias } from '@zodios/core'
import { createApiClient } from './client'
import { baseUrl, check, clusterName, groupId, headers, mediaType, missingId, step } from './steps'

const client = createApiClient(baseUrl, {
  axiosConfig: { headers: { ...headers, 'Content-Type': mediaType } },
})

await step('list', async () => {
  check((await client.listAlertConfigs({ params: { groupId } })).results[0]?.id)
})

await step('create and delete', async () => {
  const request = {
    eventTypeName: 'HOST_DOWN',
    notifications: [{ typeName: 'EMAIL' as const, emailAddress: 'oncall@lindgren.example' }],
  }
  const { id, notifications } = await client.createAlertConfig(request, { params: { groupId } })
  check(notifications[0]?.typeName === 'EMAIL')
  await client.deleteAlertConfig(undefined, { params: { groupId, alertConfigId: id } })
})

await step('snapshot', async () => {
  const body = { description: 'Before the release', retentionInDays: 7 }
  check((await client.takeSnapshot(body, { params: { groupId, clusterName } })).status)
})

await step('typed 404', async () => {
  const error: unknown = await client
    .getAlert({ params: { groupId, alertId: missingId } })
    .catch((e: unknown) => e)
  check(isErrorFromAlias(client.api, 'getAlert', error))
  check(error.response.status === 404 && error.response.data.errorCode === 'RESOURCE_NOT_FOUND')
})

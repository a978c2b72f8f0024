// Uses swagger-typescript-api's client.
import { Api, type ApiError, type HttpResponse } from './client/client'
import { baseUrl, check, clusterName, groupId, headers, missingId, step } from './steps'

const { groups } = new Api({ baseUrl, baseApiParams: { headers } })

await step('list', async () => {
  const { data } = await groups.listAlertConfigs(groupId)
  check(data.results[0]?.id)
})

await step('create and delete', async () => {
  const { data } = await groups.createAlertConfig(groupId, {
    eventTypeName: 'HOST_DOWN',
    notifications: [{ typeName: 'EMAIL', emailAddress: 'oncall@lindgren.example' }],
  })
  const [notification] = data.notifications
  check(notification?.typeName === 'EMAIL' && 'emailAddress' in notification)
  const { status } = await groups.deleteAlertConfig(groupId, data.id)
  check(status === 204)
})

await step('snapshot', async () => {
  const body = { description: 'Before the release', retentionInDays: 7 }
  const { data } = await groups.takeSnapshot(groupId, clusterName, body)
  check(data.status)
})

await step('typed 404', async () => {
  const thrown = await groups.getAlert(groupId, missingId).catch((error: unknown) => error)
  const { status, error } = thrown as HttpResponse<unknown, ApiError>
  check(status === 404 && error.errorCode === 'RESOURCE_NOT_FOUND')
})

// Uses openapi-generator's client for fetch.
import {
  AlertConfigurationsApi,
  AlertsApi,
  ApiErrorFromJSON,
  CloudBackupsApi,
  Configuration,
  ResponseError,
} from './client/index.js'
import { baseUrl, check, clusterName, groupId, headers, missingId, step } from './steps.js'

// The generated client doesn't set the `Accept` header, so the program has to set it.
const configuration = new Configuration({ basePath: baseUrl, headers })
const configs = new AlertConfigurationsApi(configuration)

await step('list', async () => {
  const { results } = await configs.listAlertConfigs({ groupId })
  check(results[0]?.id)
})

await step('create and delete', async () => {
  const created = await configs.createAlertConfig({
    groupId,
    alertConfigRequest: {
      eventTypeName: 'HOST_DOWN',
      notifications: [{ typeName: 'EMAIL', emailAddress: 'oncall@lindgren.example' }],
    },
  })
  const [notification] = created.notifications
  check(notification?.typeName === 'EMAIL' && 'emailAddress' in notification)
  await configs.deleteAlertConfig({ groupId, alertConfigId: created.id })
})

await step('snapshot', async () => {
  const snapshotRequest = { description: 'Before the release', retentionInDays: 7 }
  const backups = new CloudBackupsApi(configuration)
  check((await backups.takeSnapshot({ groupId, clusterName, snapshotRequest })).status)
})

await step('typed 404', async () => {
  const error = await new AlertsApi(configuration)
    .getAlert({ groupId, alertId: missingId })
    .catch((e: unknown) => e)
  check(error instanceof ResponseError && error.response.status === 404)
  check(ApiErrorFromJSON(await error.response.json()).errorCode === 'RESOURCE_NOT_FOUND')
})

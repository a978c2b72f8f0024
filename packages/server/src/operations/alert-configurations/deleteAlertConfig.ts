import { silenceRunningAlerts } from '../../alerting/running-alerts.ts'
import { settleAlerts } from '../../alerting/settle.ts'
import { alertConfigs } from '../../persistence/alert-configs.ts'
import { operation } from '../operation.ts'
import { empty } from '../response.ts'
import { alertConfigNotFound } from './alert-config-not-found.ts'

export default operation('deleteAlertConfig', async ({ world, path, now }) => {
  await settleAlerts(world, path.groupId, now)
  return world.database.transaction(async (transaction) => {
    const existed = await alertConfigs.remove(transaction, path.groupId, path.alertConfigId)
    if (!existed) throw alertConfigNotFound(path.alertConfigId)
    await silenceRunningAlerts(transaction, world, path.alertConfigId, now)
    return empty
  })
})

import { alertConfigFrom, requireValidNotifications } from '../../alerting/alert-config.ts'
import { updateRunningAlerts } from '../../alerting/running-alerts.ts'
import { settleAlerts } from '../../alerting/settle.ts'
import { alertConfigs } from '../../persistence/alert-configs.ts'
import { operation } from '../operation.ts'
import { resource } from '../response.ts'
import { alertConfigNotFound } from './alert-config-not-found.ts'

/** Replaces the configuration. Omitted fields are set to their defaults. */
export default operation('updateAlertConfig', async ({ world, path, body, now }) => {
  requireValidNotifications(body)
  await settleAlerts(world, path.groupId, now)
  return world.database.transaction(async (transaction) => {
    const before = await alertConfigs.find(transaction, path.groupId, path.alertConfigId)
    if (!before) throw alertConfigNotFound(path.alertConfigId)
    const { id, groupId, createdAt } = before
    const after = alertConfigFrom(body, { id, groupId, createdAt }, { now, ids: world.ids }, before)
    await alertConfigs.put(transaction, after)
    await updateRunningAlerts(transaction, world, after, now)
    return resource(after.document, 'getAlertConfig', path)
  })
})

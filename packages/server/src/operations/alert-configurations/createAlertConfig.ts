import { alertConfigFrom, requireValidNotifications } from '../../alerting/alert-config.ts'
import { alertConfigs } from '../../persistence/alert-configs.ts'
import { operation } from '../operation.ts'
import { resource } from '../response.ts'

export default operation('createAlertConfig', async ({ world, path, body, now }) => {
  requireValidNotifications(body)
  const { groupId } = path
  const place = { id: world.ids.next(now), groupId, createdAt: now }
  const config = alertConfigFrom(body, place, { now, ids: world.ids })
  await alertConfigs.insert(world.database, config)
  return resource(config.document, 'getAlertConfig', { groupId, alertConfigId: config.id })
})

import { alertConfigs } from '../../persistence/alert-configs.ts'
import { alerts } from '../../persistence/alerts.ts'
import { alertNotFound } from '../alerts/alert-not-found.ts'
import { operation } from '../operation.ts'
import { paged } from '../paged.ts'
import { itemsAt } from '../response.ts'

/** Returns the alert's configuration, or an empty list if the configuration was deleted. */
export default operation('listAlertConfigsByAlert', async ({ world, path, paging }) => {
  const { groupId, alertId } = path
  const alert = await alerts.get(world.database, groupId, alertId)
  if (!alert) throw alertNotFound(alertId)
  const document = await alertConfigs.get(world.database, groupId, alert.configId)
  const found = document ? [{ id: alert.configId, document }] : []
  return paged(paging, itemsAt('getAlertConfig', { groupId }, 'alertConfigId'), {
    page: async (limit, offset) => found.slice(offset, offset + limit),
    count: async () => found.length,
  })
})

import { settleAlerts } from '../../alerting/settle.ts'
import { alertConfigs } from '../../persistence/alert-configs.ts'
import { alertLists } from '../../persistence/alert-lists.ts'
import { alertConfigNotFound } from '../alert-configurations/alert-config-not-found.ts'
import { operation } from '../operation.ts'
import { paged } from '../paged.ts'
import { itemsAt } from '../response.ts'

/** Lists the open alerts of a configuration. Closed alerts aren't included. */
export default operation('listAlertsByAlertConfig', async ({ world, path, paging, now }) => {
  const { groupId, alertConfigId } = path
  if (!(await alertConfigs.get(world.database, groupId, alertConfigId)))
    throw alertConfigNotFound(alertConfigId)
  await settleAlerts(world, groupId, now)
  const which = { configId: alertConfigId, status: 'OPEN' }
  return paged(paging, itemsAt('getAlert', { groupId }, 'alertId'), {
    page: (limit, offset) => alertLists.page(world.database, which, { limit, offset }),
    text: (limit, offset, link) => alertLists.pageText(world.database, which, { limit, offset }, link),
    count: () => alertLists.count(world.database, which),
  })
})

import { alertConfigs } from '../../persistence/alert-configs.ts'
import { operation } from '../operation.ts'
import { paged } from '../paged.ts'
import { itemsAt } from '../response.ts'

export default operation('listAlertConfigs', async ({ world, path, paging }) => {
  const { groupId } = path
  return paged(paging, itemsAt('getAlertConfig', { groupId }, 'alertConfigId'), {
    page: (limit, offset) => alertConfigs.page(world.database, groupId, limit, offset),
    text: (limit, offset, link) => alertConfigs.pageText(world.database, groupId, limit, offset, link),
    count: () => alertConfigs.count(world.database, groupId),
  })
})

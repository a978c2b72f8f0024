import { settleAlerts } from '../../alerting/settle.ts'
import { alertLists } from '../../persistence/alert-lists.ts'
import { operation } from '../operation.ts'
import { paged } from '../paged.ts'
import { itemsAt } from '../response.ts'

export default operation('listAlerts', async ({ world, path, query, paging, now }) => {
  const { groupId } = path
  const which = { groupId, ...(query.status ? { status: query.status } : {}) }
  await settleAlerts(world, groupId, now)
  return paged(paging, itemsAt('getAlert', { groupId }, 'alertId'), {
    page: (limit, offset) => alertLists.page(world.database, which, { limit, offset }),
    text: (limit, offset, link) => alertLists.pageText(world.database, which, { limit, offset }, link),
    count: () => alertLists.count(world.database, which),
  })
})

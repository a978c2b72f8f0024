import { settleAlerts } from '../../alerting/settle.ts'
import { alerts } from '../../persistence/alerts.ts'
import { operation } from '../operation.ts'
import { resource } from '../response.ts'
import { alertNotFound } from './alert-not-found.ts'

export default operation('getAlert', async ({ world, path, now }) => {
  const { groupId, alertId } = path
  const seen = await alerts.get(world.database, groupId, alertId)
  if (!seen) throw alertNotFound(alertId)
  if (seen.dueAt === null || seen.dueAt > now) return resource(seen.document, 'getAlert', path)
  await settleAlerts(world, groupId, now)
  const settled = await alerts.get(world.database, groupId, alertId)
  return resource(settled?.document ?? seen.document, 'getAlert', path)
})

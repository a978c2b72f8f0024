import { alertConfigs } from '../../persistence/alert-configs.ts'
import { empty } from '../answer.ts'
import { operation } from '../operation.ts'
import { alertConfigNotFound } from './alert-config-not-found.ts'

export default operation('deleteAlertConfig', async ({ world, path }) => {
  const existed = await alertConfigs.remove(world.database, path.groupId, path.alertConfigId)
  if (!existed) throw alertConfigNotFound(path.alertConfigId)
  return empty
})

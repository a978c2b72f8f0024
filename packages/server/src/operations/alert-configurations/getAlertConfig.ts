import { alertConfigs } from '../../persistence/alert-configs.ts'
import { operation } from '../operation.ts'
import { resource } from '../response.ts'
import { alertConfigNotFound } from './alert-config-not-found.ts'

export default operation('getAlertConfig', async ({ world, path }) => {
  const document = await alertConfigs.get(world.database, path.groupId, path.alertConfigId)
  if (!document) throw alertConfigNotFound(path.alertConfigId)
  return resource(document, 'getAlertConfig', path)
})

import { initialAuditing } from '../../domain/auditing/auditing-config.ts'
import { Stored } from '../../domain/stored.ts'
import { auditingConfigs } from '../../persistence/auditing-configs.ts'
import { operation } from '../operation.ts'
import { resource } from '../response.ts'

export default operation('getAuditingConfig', async ({ world, path }) => {
  const document = await auditingConfigs.get(world.database, path.groupId)
  return resource(document ?? Stored.of(initialAuditing), 'getAuditingConfig', path)
})

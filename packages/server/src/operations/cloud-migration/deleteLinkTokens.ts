import { problem } from '../../domain/problem.ts'
import { migrationLinks } from '../../persistence/migration-links.ts'
import { operation } from '../operation.ts'
import { empty } from '../response.ts'

export default operation('deleteLinkTokens', async ({ world, path }) => {
  if (await migrationLinks.removeToken(world.database, path.orgId)) return empty
  throw problem('RESOURCE_NOT_FOUND', { detail: 'The organization has no link token.' })
})

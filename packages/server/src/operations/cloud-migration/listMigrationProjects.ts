import { migrationLinks } from '../../persistence/migration-links.ts'
import { operation } from '../operation.ts'

export default operation('listMigrationProjects', async ({ world, path }) => {
  return { kind: 'array', values: await migrationLinks.projects(world.database, path.orgId) }
})

import { migrationNotFound } from '../../domain/cloud-migration/not-found.ts'
import { liveMigrations } from '../../persistence/live-migrations.ts'
import { operation } from '../operation.ts'
import { migrationResponse } from './migration-response.ts'

export default operation('getMigration', async ({ world, path, now }) => {
  const migration = await liveMigrations.get(world.database, path.groupId, path.liveMigrationId)
  if (!migration) throw migrationNotFound(path.liveMigrationId)
  return migrationResponse(migration, now)
})

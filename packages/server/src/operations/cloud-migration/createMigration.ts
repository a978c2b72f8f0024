import { failedState } from '../../domain/cloud-migration/failing-machine.ts'
import { initialMigration } from '../../domain/cloud-migration/live-migration.ts'
import { type LiveMigration, liveMigrations } from '../../persistence/live-migrations.ts'
import { operation } from '../operation.ts'
import { migrationResponse } from './migration-response.ts'
import { obstacleTo } from './obstacle.ts'

export default operation('createMigration', async ({ world, path, body, now }) => {
  const { groupId } = path
  const obstacle = await obstacleTo(world.database, groupId, body.destination)
  const migration: LiveMigration = {
    id: world.ids.next(now),
    groupId,
    state: initialMigration,
    since: now,
    ...(obstacle === undefined ? {} : { target: failedState }),
    hosts: body.migrationHosts,
    createdAt: now,
  }
  await liveMigrations.put(world.database, migration)
  return migrationResponse(migration, now)
})

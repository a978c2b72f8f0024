import { cutOver, migrationAt } from '../../domain/cloud-migration/live-migration.ts'
import { migrationNotFound } from '../../domain/cloud-migration/not-found.ts'
import { problem } from '../../domain/problem.ts'
import { liveMigrations } from '../../persistence/live-migrations.ts'
import { operation } from '../operation.ts'
import { empty } from '../response.ts'

export default operation('cutoverMigration', async ({ world, path, now }) => {
  const { groupId, liveMigrationId } = path
  return world.database.transaction(async (transaction) => {
    const migration = await liveMigrations.find(transaction, groupId, liveMigrationId)
    if (!migration) throw migrationNotFound(liveMigrationId)
    const state = cutOver(migration, now)
    if (state === undefined) {
      const { status } = migrationAt(migration, now)
      throw problem('INVALID_STATE', {
        detail: `The live migration is not ready for cutover. Its status is ${status}.`,
      })
    }
    await liveMigrations.put(transaction, { ...migration, state, since: now, target: '' })
    return empty
  })
})

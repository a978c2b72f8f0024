import { migrationAt } from '../../domain/cloud-migration/live-migration.ts'
import { Stored } from '../../domain/stored.ts'
import type { LiveMigration } from '../../persistence/live-migrations.ts'
import { resource } from '../response.ts'

/** Builds a response with the current state of a migration. */
export function migrationResponse(migration: LiveMigration, now: number) {
  const { id, groupId, hosts } = migration
  const { status, readyForCutover, lagTimeSeconds } = migrationAt(migration, now)
  const document = {
    _id: id,
    ...(hosts ? { migrationHosts: [...hosts] } : {}),
    ...(lagTimeSeconds === undefined ? {} : { lagTimeSeconds }),
    readyForCutover,
    status,
  }
  return resource(Stored.of(document), 'getMigration', { groupId, liveMigrationId: id })
}

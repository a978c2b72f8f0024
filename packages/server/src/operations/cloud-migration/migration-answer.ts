import { migrationAt } from '../../domain/cloud-migration/live-migration.ts'
import { problem } from '../../domain/problem.ts'
import { Stored } from '../../domain/stored.ts'
import type { LiveMigration } from '../../persistence/live-migrations.ts'
import { resource } from '../answer.ts'

/** Answers with a migration as of now. */
export function migrationAnswer(migration: LiveMigration, now: number) {
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

/** The failure for an identifier that no migration of the project has. */
export function migrationNotFound(id: string) {
  return problem('RESOURCE_NOT_FOUND', {
    detail: `No live migration with the ID ${id} exists in the project.`,
  })
}

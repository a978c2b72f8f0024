import { sha256 } from '../auth/secrets.ts'
import { workingSince } from '../domain/cloud-migration/live-migration.ts'
import { liveMigrations } from '../persistence/live-migrations.ts'
import { migrationLinks } from '../persistence/migration-links.ts'
import { migrationValidations } from '../persistence/migration-validations.ts'
import { removal } from '../persistence/removal.ts'
import { type Fields, fieldsOf, list, maybeNumber, maybeText, text, texts } from './fields.ts'
import { seedPathOf } from './seed-path.ts'
import type { Seeding } from './seeding.ts'

/**
 * Seeds a migration. The migration enters its state at the time of seeding, because migrations have no creation date.
 * The lag also starts at the time of seeding.
 */
export async function seedMigration({ transaction, now }: Seeding, fields: Fields): Promise<void> {
  const lag = maybeNumber(fields, 'lagTimeSeconds')
  const id = text(fields, '_id')
  await removal.identified(transaction, 'live_migrations', id)
  await liveMigrations.put(transaction, {
    id,
    groupId: seedPathOf(fields).groupId,
    state: text(fields, 'status'),
    since: lag === undefined ? now : workingSince(lag, now),
    hosts: fields.migrationHosts === undefined ? undefined : texts(fields, 'migrationHosts'),
    createdAt: now,
  })
}

export async function seedMigrationValidation({ transaction, now }: Seeding, fields: Fields): Promise<void> {
  const id = text(fields, '_id')
  await removal.identified(transaction, 'migration_validations', id)
  await migrationValidations.put(transaction, {
    id,
    groupId: seedPathOf(fields).groupId,
    sourceGroupId: maybeText(fields, 'sourceGroupId') ?? '',
    state: text(fields, 'status'),
    since: now,
    failure: maybeText(fields, 'errorMessage') ?? '',
    createdAt: now,
  })
}

export async function seedMigrationProjects({ transaction }: Seeding, fields: Fields): Promise<void> {
  const { orgId } = seedPathOf(fields)
  const projects = list(fields, 'projects').map((item) => fieldsOf(item, "An item of 'projects'"))
  const byId = new Map(projects.map((project) => [text(project, 'projectId'), { ...project }]))
  await migrationLinks.putProjects(transaction, orgId, byId)
}

export async function seedLinkToken({ transaction, now }: Seeding, fields: Fields): Promise<void> {
  await migrationLinks.putToken(transaction, {
    orgId: seedPathOf(fields).orgId,
    hash: sha256(text(fields, 'linkToken')),
    accessList: texts(fields, 'accessListIps'),
    createdAt: now,
  })
}

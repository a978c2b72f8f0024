import type { Builder } from '../statement.ts'
import { index, type Migration, table } from './migration.ts'

/** Creates the tables for access roles, auditing, custom DNS, outage simulations and live migrations. */
export const settingsMigrationsRoles: Migration = {
  id: 4,
  name: 'settings-migrations-roles',
  up: (db) => [...ofProjects(db), ...liveMigrations(db), ...links(db)],
}

const ofProjects = (db: Builder) => [
  table(db, 'access_roles', {
    text: ['id', 'group_id', 'provider', 'document'],
    numbers: ['created_at'],
    maybe: ['authorized_at'],
    key: ['id'],
  }),
  index(db, 'access_roles', 'group_id', 'created_at', 'id'),
  table(db, 'auditing_configs', { text: ['group_id', 'document'], key: ['group_id'] }),
  // Used to find the tiers of a project's clusters, which determine whether auditing is available.
  index(db, 'clusters', 'group_id', 'tier'),
  table(db, 'custom_dns', { text: ['group_id'], numbers: ['enabled'], key: ['group_id'] }),
  table(db, 'outage_simulations', {
    text: ['group_id', 'cluster_name', 'id', 'state', 'filters'],
    numbers: ['since', 'started_at'],
    key: ['group_id', 'cluster_name'],
  }),
]

const liveMigrations = (db: Builder) => [
  table(db, 'live_migrations', {
    text: ['id', 'group_id', 'state', 'target', 'hosts'],
    numbers: ['since', 'created_at'],
    key: ['id'],
  }),
  table(db, 'migration_validations', {
    text: ['id', 'group_id', 'source_group_id', 'state', 'target', 'failure'],
    numbers: ['since', 'created_at'],
    key: ['id'],
  }),
]

const links = (db: Builder) => [
  table(db, 'link_tokens', {
    text: ['org_id', 'hash', 'access_list'],
    numbers: ['created_at'],
    key: ['org_id'],
  }),
  table(db, 'migration_projects', {
    text: ['org_id', 'id', 'document'],
    numbers: ['position'],
    key: ['org_id', 'id'],
  }),
  index(db, 'migration_projects', 'org_id', 'position', 'id'),
]

import { snapshotKindOf } from '../domain/backups/cluster-kind.ts'
import { backupSchedules } from '../persistence/backup-schedules.ts'
import { clusters } from '../persistence/clusters.ts'
import { tenants } from '../persistence/tenants.ts'
import { clearTenantCaches, type World } from '../world/world.ts'
import { ControlInputError, type Fields, fieldsOf, list, located, maybeText, text, texts } from './fields.ts'
import { requireOrganization, requireProject } from './required-tenants.ts'
import { seedAccessRole } from './seed-access-roles.ts'
import { seedAccessLog, seedAlert, seedAlertConfig } from './seed-alerts.ts'
import {
  seedBackupSchedule,
  seedCompliancePolicy,
  seedExportBucket,
  seedExportJob,
  seedRestoreJob,
  seedSnapshotsOf,
} from './seed-backups.ts'
import { seedApiKey, seedServiceAccount } from './seed-credentials.ts'
import {
  seedLinkToken,
  seedMigration,
  seedMigrationProjects,
  seedMigrationValidation,
} from './seed-migrations.ts'
import { seedSearchAnalyzers, seedSearchIndex, seedSearchNodes } from './seed-search.ts'
import { seedAuditingConfig, seedCustomDns, seedOutageSimulation } from './seed-settings.ts'
import type { Seeding } from './seeding.ts'

type Seeder = (seeding: Seeding, fields: Fields) => Promise<void>

/**
 * The functions that seed each collection. The functions run in this order, because a resource must exist before other
 * resources can refer to it.
 */
const seeders: Readonly<Record<string, Seeder>> = {
  organizations: seedOrganization,
  projects: seedProject,
  clusters: seedCluster,
  apiKeys: seedApiKey,
  serviceAccounts: seedServiceAccount,
  alertConfigs: seedAlertConfig,
  alerts: seedAlert,
  accessLogs: seedAccessLog,
  cloudProviderAccessRoles: seedAccessRole,
  auditingConfigs: seedAuditingConfig,
  customDns: seedCustomDns,
  outageSimulations: seedOutageSimulation,
  exportBuckets: seedExportBucket,
  backupSchedules: seedBackupSchedule,
  snapshots: seedSnapshotsOf('replicaSet', 'clusterName'),
  shardedClusterSnapshots: seedSnapshotsOf('shardedCluster', 'clusterName'),
  serverlessSnapshots: seedSnapshotsOf('serverless', 'serverlessInstanceName'),
  restoreJobs: seedRestoreJob,
  serverlessRestoreJobs: seedRestoreJob,
  exportJobs: seedExportJob,
  compliancePolicies: seedCompliancePolicy,
  migrations: seedMigration,
  migrationValidations: seedMigrationValidation,
  migrationProjects: seedMigrationProjects,
  linkTokens: seedLinkToken,
  searchAnalyzers: seedSearchAnalyzers,
  searchIndexes: seedSearchIndex,
  searchNodes: seedSearchNodes,
}

export const seedCollections: readonly string[] = Object.keys(seeders)

/**
 * Merges a seed into a world. Existing resources with the same ID are replaced.
 *
 * @throws {ControlInputError} if a collection or field is invalid. If any collection or field is invalid, nothing is
 *   stored.
 */
export async function seed(world: World, content: unknown): Promise<void> {
  const now = await world.clock.now()
  await world.database.transaction((transaction) => seedWithin({ world, transaction, now }, content))
  clearTenantCaches(world)
}

/**
 * Seeds a world as part of a larger transaction. The caller must clear the world's tenant cache afterward.
 *
 * @throws {ControlInputError} if a collection or field is invalid.
 */
export async function seedWithin(seeding: Seeding, content: unknown): Promise<void> {
  const collections = fieldsOf(content, 'A seed')
  const unknown = Object.keys(collections).find((name) => !Object.hasOwn(seeders, name))
  if (unknown !== undefined) {
    throw new ControlInputError(
      `Unknown seed collection '${unknown.slice(0, 100)}'. Allowed collections: ${seedCollections.join(', ')}`,
    )
  }
  for (const [name, seeder] of Object.entries(seeders)) {
    for (const [index, item] of list(collections, name).entries()) {
      const at = `${name}[${index}]`
      const fields = fieldsOf(item, `'${at}'`)
      await located(at, () => seeder(seeding, fields))
    }
  }
}

async function seedOrganization({ transaction, now }: Seeding, fields: Fields): Promise<void> {
  await tenants.putOrganization(transaction, { id: text(fields, 'id'), name: text(fields, 'name') }, now)
}

async function seedProject({ transaction, now }: Seeding, fields: Fields): Promise<void> {
  const project = { id: text(fields, 'id'), orgId: text(fields, 'orgId'), name: text(fields, 'name') }
  await requireOrganization(transaction, project.orgId)
  await tenants.putProject(transaction, project, now)
}

async function seedCluster({ world, transaction, now }: Seeding, fields: Fields): Promise<void> {
  const cluster = {
    id: maybeText(fields, 'id') ?? world.ids.next(now),
    groupId: text(fields, 'groupId'),
    name: text(fields, 'name'),
    tier: text(fields, 'tier'),
    type: text(fields, 'type'),
    databaseVersion: text(fields, 'databaseVersion'),
    provider: text(fields, 'provider'),
  }
  await requireProject(transaction, cluster.groupId)
  await clusters.put(transaction, cluster, texts(fields, 'hostnames'), now)
  // Serverless instances have no schedule.
  // If the replaced cluster's schedule weren't removed, requests could neither read the schedule nor delete its bucket.
  if (snapshotKindOf(cluster) === 'serverless') {
    await backupSchedules.remove(transaction, cluster.groupId, cluster.name)
  }
}

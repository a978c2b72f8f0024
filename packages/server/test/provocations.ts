import type { Json, JsonObject } from '@svc-admin/spec'
import { limits, type OperationId } from '@svc-admin/types'
import type { StartOptions } from '../src/index.ts'
import { type CheckedServer, projectId } from './checked-server.ts'
import type { PathValues } from './documented.ts'

/** Changes to the documented example request that make it cause a specific error. */
export interface Provocation {
  readonly as?: string | null
  readonly values?: PathValues
  /** The query string, which starts with a question mark. */
  readonly query?: string
  readonly accept?: string
  readonly contentType?: string
  /** A body that replaces the whole example body. */
  readonly json?: Json
  readonly body?: string
  /** Fields to change in the example body. `without` is the name of a field to remove. */
  readonly having?: JsonObject
  readonly without?: string
  /** Called before the request to prepare the server. The function can return more changes to the request. */
  readonly before?: (server: CheckedServer) => Promise<Provocation>
}

const staging = '64b7e1c20f3a5d6e7f809102'
const cluster = `/groups/${projectId}/clusters/orders-eu`
const on = (clusterName: string): Provocation => ({ values: { groupId: projectId, clusterName } })
const named = (name: string, value: string): Provocation => ({ values: { [name]: value } })
const readOnly: Provocation = { as: 'readonly' }
const withoutSearch = on('orders-archive')

const removeIndex: Provocation = {
  before: async (server) => {
    await server.ask(`${cluster}/search/indexes/66d2b3c40f3a5d6e7f80c001`, { method: 'DELETE' })
    return {}
  },
}

async function takeSnapshot(server: CheckedServer): Promise<string> {
  const taken = await server.ask(`${cluster}/backup/snapshots`, { method: 'POST', json: {} })
  return taken.textAt('id')
}

/** A project whose clusters all have tenant tiers. */
const tenantProject: Provocation = {
  before: async (server) => {
    const groupId = '64b7e1c20f3a5d6e7f809109'
    const project = { id: groupId, orgId: '64b7e0a10f3a5d6e7f809001', name: 'Trials' }
    const kind = { tier: 'M2', type: 'REPLICASET', databaseVersion: '8.0.4', provider: 'AWS' }
    const trial = { ...kind, id: '64b7e2d30f3a5d6e7f809309', groupId, name: 'trial', hostnames: [] }
    await server.control('POST', '/seed', { projects: [project], clusters: [trial] })
    return named('groupId', groupId)
  },
}

/** Requests that cause the errors that are documented for each operation. */
export const provocations: { readonly [K in OperationId]?: Provocation } = {
  acknowledgeAlert: readOnly,
  authorizeCloudProviderAccessRole: named('roleId', '66d0a1b20f3a5d6e7f80b101'),
  cancelRestoreJob: named('restoreJobId', '691c20b30f3a5d6e7f80b601'),
  createAlertConfig: { without: 'notifications' },
  createCloudProviderAccessRole: { json: {} },
  createExportBucket: { having: { iamRoleId: '66d0a1b20f3a5d6e7f80b102' } },
  createExportJob: {
    before: async (server) => ({ ...on('orders-eu'), having: { snapshotId: await takeSnapshot(server) } }),
  },
  createFtsIndex: { having: { collectionName: 'orders' } },
  createLinkToken: { having: { accessListIps: '203.0.113.0/24' } },
  createMigration: { having: { migrationHosts: [] } },
  createRestoreJob: { json: { deliveryType: 'automated', snapshotId: '69055e800f3a5d6e7f80b401' } },
  createSearchIndex: { having: { collectionName: 'orders' } },
  createSearchNodes: on('orders-global'),
  createServerlessRestoreJob: { without: 'targetGroupId' },
  cutoverMigration: named('liveMigrationId', '66d4d5e60f3a5d6e7f80e001'),
  deauthorizeCloudProviderAccessRole: named('roleId', '66d0a1b20f3a5d6e7f80b101'),
  deleteAlertConfig: readOnly,
  deleteBackupSchedules: { values: { groupId: staging, clusterName: 'orders-eu-staging' } },
  deleteExportBucket: {},
  deleteLinkTokens: {
    before: async (server) => {
      await server.ask('/orgs/64b7e0a10f3a5d6e7f809001/liveMigrations/linkTokens', { method: 'DELETE' })
      return {}
    },
  },
  deleteSearchIndex: named('indexId', '66d2b3c40f3a5d6e7f80c099'),
  deleteSearchIndexByName: named('indexName', 'missing'),
  deleteShardedClusterSnapshot: readOnly,
  deleteSnapshot: {
    values: { groupId: staging, clusterName: 'orders-eu-staging', snapshotId: '691ae3900f3a5d6e7f80b403' },
  },
  disableCompliancePolicy: {
    before: async (server) => {
      await server.control('POST', '/backups/deletable', { groupId: staging, deletable: false })
      return named('groupId', staging)
    },
  },
  endOutageSimulation: on('orders-eu'),
  getAlert: named('alertId', '67a1b2c30f3a5d6e7f80a999'),
  getAlertConfig: named('alertConfigId', '66c4d5e60f3a5d6e7f809a99'),
  getBackupSchedule: on('orders-asia'),
  getCloudProviderAccessRole: named('roleId', '66d0a1b20f3a5d6e7f80b199'),
  getCompliancePolicy: named('groupId', projectId),
  getExportBucket: named('exportBucketId', '66d0b2c30f3a5d6e7f80b999'),
  getExportJob: named('exportId', '691c10a20f3a5d6e7f80b999'),
  getMigration: named('liveMigrationId', '66d4d5e60f3a5d6e7f80e099'),
  getMigrationValidation: named('validationId', '66d4d5e60f3a5d6e7f80e199'),
  getRestoreJob: named('restoreJobId', '691c20b30f3a5d6e7f80b999'),
  getSearchIndex: named('indexId', '66d2b3c40f3a5d6e7f80c099'),
  getSearchIndexByName: named('indexName', 'missing'),
  getServerlessRestoreJob: named('restoreJobId', '691c20b30f3a5d6e7f80b999'),
  getServerlessSnapshot: named('snapshotId', '691bbc600f3a5d6e7f80b999'),
  getShardedClusterSnapshot: named('snapshotId', '690569100f3a5d6e7f80b999'),
  getSnapshot: named('snapshotId', '69055e800f3a5d6e7f80b999'),
  listAccessLogsByHostname: { query: '?start=1763424000000' },
  listAlertConfigsByAlert: named('alertId', '67a1b2c30f3a5d6e7f80a999'),
  listAlerts: { query: '?status=ACKNOWLEDGED' },
  listAlertsByAlertConfig: named('alertConfigId', '66c4d5e60f3a5d6e7f809a99'),
  listCollectionFtsIndexes: withoutSearch,
  listCollectionSearchIndexes: withoutSearch,
  listExportBuckets: { query: '?pageNum=0' },
  listExportJobs: readOnly,
  listMigrationProjects: named('orgId', '65f0a1b2c3d4e5f60718293c'),
  listRestoreJobs: on('orders-asia'),
  listSearchAnalyzers: withoutSearch,
  listSearchIndexes: withoutSearch,
  listServerlessRestoreJobs: on('orders-eu'),
  listServerlessSnapshots: on('orders-eu'),
  listShardedClusterSnapshots: on('orders-asia'),
  listSnapshots: on('orders-asia'),
  toggleAlertConfig: { json: { enabled: 'yes' } },
  updateAlertConfig: { without: 'notifications' },
  updateAuditingConfig: tenantProject,
  updateBackupSchedule: {
    json: {
      policies: [
        {
          policyItems: [
            { frequencyType: 'daily', frequencyInterval: 1, retentionUnit: 'days', retentionValue: 30 },
            { frequencyType: 'weekly', frequencyInterval: 1, retentionUnit: 'weeks', retentionValue: 1 },
          ],
        },
      ],
    },
  },
  updateCompliancePolicy: { without: 'authorizedEmail' },
  updateCustomDns: { json: {} },
  updateSearchAnalyzers: { json: ['swedishNames', 'swedishNames'].map((name) => ({ name, tokenizer: {} })) },
  updateSearchIndex: removeIndex,
  updateSearchIndexByName: removeIndex,
  updateSearchNodes: {
    before: async (server) => {
      const nodes = `/groups/${projectId}/clusters/orders-global/search/deployment`
      await server.ask(nodes, { method: 'PATCH', json: { specs: [{ nodeCount: 3 }] } })
      return on('orders-global')
    },
  },
  updateSnapshotRetention: { having: { retentionUnit: 'HOURS' } },
  validateMigration: { having: { migrationHosts: [] } },
}

/** A request that causes an error that all operations can return. `of` is the operation to call. */
interface SharedProvocation extends Provocation {
  readonly of: OperationId
  readonly options?: StartOptions
}

/** Requests that cause the errors that all operations can return, keyed by error code. */
export const sharedProvocations: Readonly<Record<string, SharedProvocation>> = {
  VALIDATION_ERROR: { of: 'listAlertConfigs', query: `?itemsPerPage=${limits.itemsPerPage.maximum + 1}` },
  INVALID_JSON: { of: 'createAlertConfig', body: '{' },
  INVALID_VERSION_DATE: { of: 'getAlert', accept: 'application/vnd.svc.2024-02-31+json' },
  VERSION_MISMATCH: {
    of: 'acknowledgeAlert',
    accept: 'application/vnd.svc.2024-05-30+json',
    contentType: 'application/vnd.svc.2023-01-01+json',
  },
  TIER_NOT_SUPPORTED: { of: 'listAccessLogsByCluster', ...on('tryout-small') },
  UNAUTHORIZED: { of: 'getAlertConfig', as: null },
  INSUFFICIENT_ROLE: { of: 'getAuditingConfig', ...readOnly },
  IP_NOT_ALLOWED: { of: 'getAlert', as: 'netlimit' },
  RESOURCE_NOT_FOUND: { of: 'listAlertConfigs', ...named('groupId', '65f0a1b2c3d4e5f60718293b') },
  NOT_ACCEPTABLE: { of: 'acknowledgeAlert', accept: 'application/vnd.svc.2022-12-31+json' },
  SNAPSHOT_IN_PROGRESS: {
    of: 'takeSnapshot',
    before: async (server) => {
      await takeSnapshot(server)
      return on('orders-eu')
    },
  },
  VERSION_GONE: {
    of: 'listServerlessSnapshots',
    options: { enforceSunset: true, realTime: () => Date.UTC(2026, 1, 1) },
  },
  PAYLOAD_TOO_LARGE: { of: 'createAlertConfig', body: `"${'a'.repeat(2 ** 20)}"` },
  UNSUPPORTED_MEDIA_TYPE: { of: 'createAlertConfig', contentType: 'text/plain' },
}

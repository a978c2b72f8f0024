import { type OperationId, operations } from '@svc-admin/types'
import { type JsonObject, stringAt } from '../document/json.ts'
import { valuesIn } from '../model/call.ts'
import type { ResourceIds } from './target.ts'

/** The demo organization by collection. Each row has its path in `self`. */
export type Rows = Readonly<Record<string, readonly JsonObject[]>>

/** A demo resource from which path parameters get their values. */
interface Source {
  readonly collection: string
  /** The operation with the path that `self` contains. */
  readonly foundBy: OperationId
  /**
   * The operations that need this resource. By default, all operations with the resource's parameters use the resource.
   */
  readonly only?: readonly OperationId[]
  readonly where?: (row: JsonObject) => boolean
}

const sources: readonly Source[] = [
  { collection: 'snapshots', foundBy: 'getSnapshot' },
  { collection: 'restoreJobs', foundBy: 'getRestoreJob' },
  { collection: 'exportBuckets', foundBy: 'getExportBucket' },
  { collection: 'exportJobs', foundBy: 'getExportJob' },
  { collection: 'cloudProviderAccessRoles', foundBy: 'getCloudProviderAccessRole' },
  { collection: 'migrations', foundBy: 'getMigration' },
  { collection: 'migrationValidations', foundBy: 'getMigrationValidation' },
  { collection: 'linkTokens', foundBy: 'deleteLinkTokens' },
  { collection: 'searchIndexes', foundBy: 'getSearchIndex' },
  {
    collection: 'shardedClusterSnapshots',
    foundBy: 'getShardedClusterSnapshot',
    only: ['getShardedClusterSnapshot', 'deleteShardedClusterSnapshot', 'listShardedClusterSnapshots'],
  },
  {
    collection: 'serverlessSnapshots',
    foundBy: 'getServerlessSnapshot',
    only: ['getServerlessSnapshot', 'listServerlessSnapshots'],
  },
  {
    collection: 'serverlessRestoreJobs',
    foundBy: 'getServerlessRestoreJob',
    only: ['getServerlessRestoreJob', 'listServerlessRestoreJobs', 'createServerlessRestoreJob'],
  },
  {
    /** This operation needs an on-demand snapshot, because a scheduled snapshot's retention depends on its schedule. */
    collection: 'snapshots',
    foundBy: 'getSnapshot',
    only: ['updateSnapshotRetention'],
    where: (row) => row.snapshotType === 'onDemand',
  },
  {
    collection: 'restoreJobs',
    foundBy: 'getRestoreJob',
    only: ['cancelRestoreJob'],
    where: (row) => row.finishedAt === undefined,
  },
  {
    collection: 'cloudProviderAccessRoles',
    foundBy: 'getCloudProviderAccessRole',
    only: ['authorizeCloudProviderAccessRole'],
    where: (row) => row.authorizedDate === undefined,
  },
  {
    collection: 'cloudProviderAccessRoles',
    foundBy: 'getCloudProviderAccessRole',
    only: ['deauthorizeCloudProviderAccessRole'],
    where: (row) => row.authorizedDate === undefined,
  },
  {
    collection: 'migrations',
    foundBy: 'getMigration',
    only: ['cutoverMigration'],
    where: (row) => row.readyForCutover === true,
  },
  {
    collection: 'outageSimulations',
    foundBy: 'endOutageSimulation',
    only: ['endOutageSimulation'],
    where: (row) => row.state === 'SIMULATING',
  },
  { collection: 'searchNodes', foundBy: 'updateSearchNodes', only: ['updateSearchNodes'] },
]

/** Returns path parameters whose name differs from the field in the resource. */
const namesOf = (row: JsonObject): ResourceIds => {
  const named = {
    databaseName: stringAt(row, 'database'),
    collectionName: stringAt(row, 'collectionName'),
    indexName: stringAt(row, 'indexID') && stringAt(row, 'name'),
    cloudProvider: stringAt(row, 'providerName'),
  }
  return Object.fromEntries(Object.entries(named).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}

/**
 * Returns path parameters for the resources in a project and its organization. Some values apply only to a
 * single operation.
 */
export const resourceIdsOf = (rows: Rows, orgId: string, groupId: string): ResourceIds => {
  const ids: Record<string, string> = {}
  const isHere = (row: JsonObject): boolean => {
    const self = stringAt(row, 'self') ?? ''
    return self.startsWith(`/groups/${groupId}/`) || self.startsWith(`/orgs/${orgId}/`)
  }
  for (const { collection, foundBy, only, where = () => true } of sources) {
    const row = (rows[collection] ?? []).find((one) => isHere(one) && where(one))
    if (row === undefined) continue
    const values = { ...valuesIn(stringAt(row, 'self') ?? '', operations[foundBy].path), ...namesOf(row) }
    for (const [name, value] of Object.entries(values)) {
      if (only === undefined) ids[name] ??= value
      else for (const id of only) if (ids[name] !== value) ids[`${id}.${name}`] = value
    }
  }
  return { ...ids, orgId }
}

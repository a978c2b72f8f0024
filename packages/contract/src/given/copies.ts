import { randomBytes } from 'node:crypto'
import type { OperationId } from '@svc-admin/types'
import { isIdentifier } from '../document/identifier.ts'
import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  parseJson,
  stringAt,
} from '../document/json.ts'
import type { Cell } from '../model/api.ts'
import { Untestable } from '../model/signals.ts'
import type { RunContext } from '../run-context/run-context.ts'

/**
 * Some calls use up a resource, for example by deleting it. Each call that uses up a resource gets its own
 * copy of a demo resource.
 */

interface Recipe {
  /** The path parameter that identifies the resource to copy. */
  readonly renew: string
  /** The demo organization's collections that contain the resource and its children. */
  readonly collections: readonly string[]
  /** Fields that must change to make the copy usable. `null` removes a field. */
  readonly set?: JsonObject
}

const indexes: Recipe = { renew: 'clusterName', collections: ['clusters', 'searchIndexes'] }
const bareCluster: Recipe = { renew: 'clusterName', collections: ['clusters'] }
const role: Recipe = { renew: 'roleId', collections: ['cloudProviderAccessRoles'] }

const recipes: Readonly<Partial<Record<OperationId, Recipe>>> = {
  authorizeCloudProviderAccessRole: role,
  cancelRestoreJob: {
    renew: 'restoreJobId',
    collections: ['restoreJobs'],
    set: { cancelled: false, createdAt: null },
  },
  createFtsIndex: bareCluster,
  createSearchIndex: bareCluster,
  createSearchNodes: bareCluster,
  cutoverMigration: { renew: 'liveMigrationId', collections: ['migrations'] },
  deauthorizeCloudProviderAccessRole: role,
  deleteBackupSchedules: { renew: 'clusterName', collections: ['clusters', 'backupSchedules'] },
  deleteExportBucket: { renew: 'exportBucketId', collections: ['exportBuckets'] },
  deleteSearchIndex: indexes,
  deleteSearchIndexByName: indexes,
  deleteShardedClusterSnapshot: { renew: 'snapshotId', collections: ['shardedClusterSnapshots'] },
  deleteSnapshot: { renew: 'snapshotId', collections: ['snapshots'] },
  endOutageSimulation: { renew: 'clusterName', collections: ['clusters', 'outageSimulations'] },
  takeSnapshot: bareCluster,
  updateSearchIndex: indexes,
  updateSearchIndexByName: indexes,
  // The retention period starts when the snapshot is created, so shortening the period could delete an older snapshot.
  updateSnapshotRetention: { renew: 'snapshotId', collections: ['snapshots'] },
  updateSearchNodes: { renew: 'clusterName', collections: ['clusters', 'searchNodes'] },
}

/** Each of these fields identifies a resource, so its value must be unique. */
const identities = ['id', '_id', 'roleId', 'indexID', 'clusterId'] as const

const rowsOf = ({ demo }: RunContext, collection: string): readonly JsonObject[] =>
  demo.rows[collection] ?? []

const concerns = (row: JsonObject, value: string): boolean =>
  stringAt(row, 'self')?.split('/').includes(value) ?? row.name === value

export const freshName = (value: string): string => {
  const hex = randomBytes(12).toString('hex')
  return isIdentifier(value) ? hex : `${value}-${hex.slice(0, 8)}`
}

const changed = (row: JsonObject, set: JsonObject = {}): JsonObject =>
  Object.fromEntries(Object.entries({ ...row, ...set }).filter(([, value]) => value !== null))

/** Returns the rows with new names, and a map from old to new names. */
const renamed = (content: JsonObject, names: ReadonlySet<string>) => {
  const fresh = new Map([...names].map((name) => [name, freshName(name)]))
  let text = JSON.stringify(content)
  for (const [name, other] of fresh) text = text.replaceAll(name, other)
  const copy = parseJson(text)
  if (!isObject(copy)) throw new TypeError('a copy of an object is an object')
  return { copy, fresh }
}

/** Seeds copies of the resources that a call uses up. Returns a map from the original names to the copies' names. */
const copyOf = async (
  context: RunContext,
  recipe: Recipe,
  value: string,
): Promise<ReadonlyMap<string, string>> => {
  const content: Record<string, Json> = {}
  const names = new Set([value])
  for (const collection of recipe.collections) {
    const rows = rowsOf(context, collection).filter((row) => concerns(row, value))
    if (rows.length === 0)
      throw new Untestable(`a resource in ${collection} of the demo organization to copy`)
    for (const row of rows)
      for (const name of identities) {
        const id = stringAt(row, name)
        if (id !== undefined && isIdentifier(id)) names.add(id)
      }
    content[collection] = rows.map((row) => changed(row, recipe.set))
  }
  const { copy, fresh } = renamed(content, names)
  await context.prerequisites.seed(copy)
  return fresh
}

const policyOperations: ReadonlySet<OperationId> = new Set([
  'getCompliancePolicy',
  'updateCompliancePolicy',
  'disableCompliancePolicy',
])

/**
 * Creates a second project in which every role holder has the same role as in the first project. A compliance policy in
 * the second project doesn't affect other checks.
 */
const policyProject = (context: RunContext): Promise<string> =>
  context.once('policy project', async () => {
    const { groupId = '' } = context.target.things
    const other = randomBytes(12).toString('hex')
    const [project] = rowsOf(context, 'projects').filter(({ id }) => id === groupId)
    if (project === undefined) throw new Untestable('a project for a backup compliance policy')
    const granted = (row: JsonObject): JsonObject => ({
      ...row,
      roles: listAt(row, 'roles').flatMap((one) =>
        isObject(one) && one.groupId === groupId ? [one, { ...one, groupId: other }] : [one],
      ),
    })
    await context.prerequisites.seed({
      projects: [{ ...project, id: other, name: `${stringAt(project, 'name')}-${context.runTag}` }],
      apiKeys: rowsOf(context, 'apiKeys').map(granted),
      serviceAccounts: rowsOf(context, 'serviceAccounts').map(granted),
    })
    return other
  })

/** Seeds an active policy that the support team allows the project to disable. */
const activePolicy = async (context: RunContext, groupId: string): Promise<void> => {
  const [policy] = rowsOf(context, 'compliancePolicies')
  const from = stringAt(policy, 'projectId') ?? ''
  const copy = parseJson(JSON.stringify({ ...policy, deletable: true }).replaceAll(from, groupId))
  await context.prerequisites.seed({ compliancePolicies: isObject(copy) ? [copy] : [] })
}

/** Returns whether every valid call uses up the operation's resource. */
export const usesUp = ({ operation: { id } }: Cell): boolean =>
  recipes[id] !== undefined || policyOperations.has(id) || id === 'deleteLinkTokens'

/**
 * If seeding isn't possible, the API can still create resources for these operations, because the resources need no
 * preparation.
 */
const madeByApi: ReadonlySet<OperationId> = new Set(['deauthorizeCloudProviderAccessRole'])

/** Returns whether a valid call needs a resource that only a hook or the sandbox can create. */
export const needsCopy = (cell: Cell): boolean => usesUp(cell) && !madeByApi.has(cell.operation.id)

/**
 * Checks that the kit can seed resources if a valid call uses up a resource. Naming the resource in the target file
 * wouldn't help, so this is checked first.
 *
 * @throws Untestable if the resource can't be seeded.
 */
export const expectCopies = ({ prerequisites }: RunContext, cell: Cell): void => {
  if (!prerequisites.canSeed && needsCopy(cell))
    throw new Untestable(
      'resources that calls may delete or change for good (hooks.seed with hooks.unseed, or the control interface of the sandbox)',
    )
}

/** These operations change a setting of a provided project or cluster. Cases change the setting and then read it. */
const settings: ReadonlySet<OperationId> = new Set([
  'updateAuditingConfig',
  'updateCustomDns',
  'updateSearchAnalyzers',
])

/**
 * Returns whether calls to the operation share a resource that can't be copied. Calls that share a resource
 * must run one at a time.
 */
export const usesSharedState = ({ operation: { id, method } }: Cell): boolean =>
  method !== 'GET' && (policyOperations.has(id) || settings.has(id) || id === 'deleteLinkTokens')

/** The prerequisite that is missing if the target finishes restore jobs before they can be canceled. */
export const unfinished = 'a restore job that has not finished'

/** Reads a seeded restore job once per run. If this job has finished, other jobs would have finished too. */
const expectUnfinished = (context: RunContext, path: Readonly<Record<string, string>>): Promise<void> =>
  context.once('an unfinished restore job', async () => {
    const job = await context.perform('getRestoreJob', path)
    if (stringAt(job, 'finishedAt') !== undefined) throw new Untestable(unfinished)
  })

/**
 * Returns the path parameters for a single call. If the call uses up a resource, the parameters name a copy
 * of the resource.
 */
export const ownResources = async (
  context: RunContext,
  cell: Cell,
  shared: Readonly<Record<string, string>>,
): Promise<Record<string, string>> => {
  const { operation } = cell
  if (!usesUp(cell) || !context.prerequisites.canSeed) return { ...shared }
  const recipe = recipes[operation.id]
  if (operation.id === 'deleteLinkTokens') {
    await context.prerequisites.seed({ linkTokens: [...rowsOf(context, 'linkTokens')] })
    return { ...shared }
  }
  if (recipe === undefined) {
    const groupId = await policyProject(context)
    await activePolicy(context, groupId)
    return { ...shared, groupId }
  }
  const fresh = await copyOf(context, recipe, shared[recipe.renew] ?? '')
  const path = Object.fromEntries(
    Object.entries(shared).map(([name, value]) => [name, fresh.get(value) ?? value]),
  )
  if (operation.id === 'cancelRestoreJob') await expectUnfinished(context, path)
  return path
}

/** Replaces the demo organization's names in a documented example with the target's names. */
export const adapted = (body: Json | undefined, names: ReadonlyMap<string, string>): Json | undefined => {
  if (typeof body === 'string') return names.get(body) ?? body
  if (isArray(body)) return body.map((element) => adapted(element, names) ?? null)
  if (!isObject(body)) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, field]) => [name, adapted(field, names) ?? null]),
  )
}

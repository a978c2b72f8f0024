import { randomBytes } from 'node:crypto'
import { type OperationId, roles, type Version, versions } from '@svc-admin/types'
import type { Trial } from '../check/trial.ts'
import { type JsonObject, stringAt } from '../document/json.ts'
import { exampleParameters, givenBody } from '../given/given.ts'
import type { Authorization } from '../http/authorization.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Cell } from '../model/api.ts'
import { buildCall, type CallChanges } from '../model/call.ts'
import { NotApplicable } from '../model/signals.ts'
import { allowedHolder, anyAuthorizationOf, type Scheme } from '../run-context/holders.ts'
import type { RunContext } from '../run-context/run-context.ts'
import { roleIds } from '../target/role-ids.ts'

/** The path of the resource for a check, and the caller who sends the requests. */
export interface ResourcePath {
  readonly parameters: Readonly<Record<string, string>>
  /** In a project from the target file, each call uses credentials with a role that allows the call. */
  readonly as: Authorization | 'any allowed caller'
}

export interface OwnProject extends ResourcePath {
  readonly orgId: string
  readonly groupId: string
}

export interface OwnCluster extends OwnProject {
  readonly clusterName: string
}

const freshId = (): string => randomBytes(12).toString('hex')

/** Seeds an API key or a service account with the given roles, in the given order. */
export const ownCaller = async (
  { prerequisites, runTag }: RunContext,
  scheme: Scheme,
  grants: readonly JsonObject[],
): Promise<Authorization> => {
  const more = { label: runTag, roles: grants }
  if (scheme === 'digest') {
    const key = { publicKey: `own-${freshId()}`, privateKey: `own-${freshId()}` }
    await prerequisites.seed({ apiKeys: [{ ...key, ...more }] })
    return { kind: 'digest', key }
  }
  const account = { clientId: `svc_sa_${freshId()}`, clientSecret: `svc_ss_${freshId()}` }
  await prerequisites.seed({ serviceAccounts: [{ ...account, ...more }] })
  return { kind: 'bearer', account }
}

/** Returns a key with every role, because it's our decision that roles include other roles. */
const keyOf = (runTag: string, orgId: string, groupId: string) => {
  const key = { publicKey: `own-${freshId()}`, privateKey: `own-${freshId()}` }
  const grants = roleIds.map((role) =>
    roles[role].scope === 'organization' ? { role, orgId } : { role, groupId },
  )
  return { key, row: { ...key, label: runTag, roles: grants } }
}

/** Seeds an organization with a project and a key. */
export const ownOrganization = async ({ prerequisites, runTag }: RunContext): Promise<OwnProject> => {
  const [orgId, groupId] = [freshId(), freshId()]
  const { key, row } = keyOf(runTag, orgId, groupId)
  await prerequisites.seed({
    organizations: [{ id: orgId, name: runTag }],
    projects: [{ id: groupId, orgId, name: runTag }],
    apiKeys: [row],
  })
  return { parameters: { orgId, groupId }, as: { kind: 'digest', key }, orgId, groupId }
}

/** Returns the organization that the run seeds. Each check has its own project or cluster in this organization. */
export const sharedOrganization = (context: RunContext): Promise<OwnProject> =>
  context.once('own organization', () => ownOrganization(context))

export const ownProject = async (context: RunContext): Promise<OwnProject> => {
  const { orgId } = await sharedOrganization(context)
  const groupId = freshId()
  const { key, row } = keyOf(context.runTag, orgId, groupId)
  await context.prerequisites.seed({
    projects: [{ id: groupId, orgId, name: `${context.runTag}-${groupId}` }],
    apiKeys: [row],
  })
  return { parameters: { orgId, groupId }, as: { kind: 'digest', key }, orgId, groupId }
}

/**
 * Seeds a cluster.
 *
 * @param differs Fields in which the cluster differs from a cluster with all features.
 */
export const ownCluster = async (
  context: RunContext,
  differs: JsonObject = {},
  within?: OwnProject,
): Promise<OwnCluster> => {
  const place = within ?? (await sharedOrganization(context))
  const { groupId } = place
  const clusterName = stringAt(differs, 'name') ?? `own-${freshId()}`
  const { id: _, ...like } = context.demo.rows.clusters?.[0] ?? {}
  const hostnames = [`${clusterName}-00.db.svc.example`]
  await context.prerequisites.seed({
    clusters: [{ ...like, hostnames, ...differs, groupId, name: clusterName }],
  })
  return { ...place, clusterName, parameters: { ...place.parameters, clusterName } }
}

/** Seeds a resource in a cluster. */
export const seedAt = async (
  context: RunContext,
  collection: string,
  { groupId, clusterName }: OwnProject & { readonly clusterName?: string },
  path: string,
  row: JsonObject,
): Promise<void> => {
  const cluster = clusterName === undefined ? '' : `/clusters/${clusterName}`
  await context.prerequisites.seed({
    [collection]: [{ ...row, self: `/groups/${groupId}${cluster}${path}` }],
  })
}

const inVersion = ({ context }: Trial, operation: OperationId, version: Version): Cell => {
  const cell = context.api.cell(operation, version)
  if (cell === undefined) throw new NotApplicable(`${operation} is not in ${version}`)
  return cell
}

const sendTo = (trial: Trial, cell: Cell, place: ResourcePath, changes: CallChanges): Promise<Exchange> => {
  const { context } = trial
  const parameters = { ...exampleParameters(context, cell), ...place.parameters }
  const as =
    place.as === 'any allowed caller'
      ? anyAuthorizationOf(allowedHolder(context.target, cell), cell.operation.id)
      : place.as
  const isGiven = changes.body !== undefined || changes.rawBody !== undefined
  const body = isGiven ? undefined : givenBody(context, cell)
  return trial.send(buildCall(cell, { parameters, body, as }, changes))
}

/** Calls an operation in the version under test. */
export const sendRequest = async (
  trial: Trial,
  place: ResourcePath,
  changes: CallChanges = {},
  operation: OperationId = trial.cell.operation.id,
): Promise<Exchange> => sendTo(trial, inVersion(trial, operation, trial.cell.version.id), place, changes)

/** Calls the newest version of an operation, as another client might do for the same resource. */
export const sendToNewest = async (
  trial: Trial,
  place: ResourcePath,
  operation: OperationId,
  changes: CallChanges = {},
): Promise<Exchange> => {
  const newest = versions[versions.length - 1]?.id ?? trial.cell.version.id
  return sendTo(trial, inVersion(trial, operation, newest), place, changes)
}

export const hasOperation = ({ context, cell }: Trial, operation: OperationId): boolean =>
  context.api.cell(operation, cell.version.id) !== undefined

/** Returns the path of the target's project, for calls that must not find the check's own resources. */
export const targetsProject = ({ context, cell }: Trial): ResourcePath => ({
  parameters: {},
  as: anyAuthorizationOf(allowedHolder(context.target, cell), cell.operation.id),
})

export const unusedId = (): string => freshId()

export const unusedName = (): string => `none-${freshId()}`

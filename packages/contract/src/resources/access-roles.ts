import type { Trial } from '../check/trial.ts'
import { type Json, type JsonObject, stringAt } from '../document/json.ts'
import type { RunContext } from '../run-context/run-context.ts'
import { prepared } from './backups.ts'
import { knownOf } from './known-values.ts'
import {
  type OwnProject,
  ownProject,
  type ResourcePath,
  seedAt,
  sendRequest,
  unusedId,
} from './own-resources.ts'
import { someProject } from './provided-resources.ts'
import { type SuccessfulResponse, successfulResponse } from './successful-response.ts'

/** A cloud provider access role for a single check. */
export interface OwnRole extends OwnProject {
  readonly roleId: string
}

/** A role in any project, seeded or provided. */
export interface SomeRole extends ResourcePath {
  readonly roleId: string
}

export const arn = 'arn:aws:iam::123456789012:role/contract'

/** The fields that only authorized roles have. */
export const authorized = { authorizedDate: '2025-10-01T10:00:00Z' } satisfies JsonObject

/** Seeds a role. By default, the role isn't authorized. */
export const seedRole = async (
  context: RunContext,
  place: OwnProject,
  providerName: string,
  differs: JsonObject = {},
): Promise<OwnRole> => {
  const roleId = unusedId()
  const row = { roleId, providerName, createdDate: '2025-10-01T09:00:00Z', ...differs }
  await seedAt(context, 'cloudProviderAccessRoles', place, `/cloudProviderAccess/${roleId}`, row)
  return { ...place, roleId, parameters: { ...place.parameters, roleId, cloudProvider: providerName } }
}

/** Seeds a role in a new project. */
export const ownRole = async (
  context: RunContext,
  providerName = 'AWS',
  differs: JsonObject = {},
): Promise<OwnRole> => seedRole(context, await ownProject(context), providerName, differs)

/** Creates a role in the provided project through the API. Returns the role's path. */
const createdRole = async (trial: Trial, cloudProvider: string): Promise<SomeRole> => {
  const place = await someProject(trial)
  const body = { providerName: cloudProvider }
  const made = prepared(
    await sendRequest(trial, place, { body }, 'createCloudProviderAccessRole'),
    'an access role',
  )
  const roleId = roleIdOf(made)
  return { ...place, roleId, parameters: { ...place.parameters, roleId, cloudProvider } }
}

/**
 * Returns a role that no request has authorized yet, in a new project or in the provided project. Checks never authorize
 * roles in the provided project, because a service that contacts the provider would reject a made-up ARN.
 */
export const unauthorizedRole = async (trial: Trial, provider = 'AWS'): Promise<SomeRole> =>
  trial.context.prerequisites.canSeed ? ownRole(trial.context, provider) : createdRole(trial, provider)

/**
 * Returns an authorized role in a new project. If seeding isn't possible, returns an unauthorized
 * role in the provided project.
 */
export const someRole = async (
  trial: Trial,
  provider = 'AWS',
  differs: JsonObject = {},
): Promise<SomeRole> =>
  trial.context.prerequisites.canSeed
    ? ownRole(trial.context, provider, { ...authorized, ...differs })
    : createdRole(trial, provider)

/** The roles of each provider in the same project. */
export interface RolesOfBoth {
  readonly aws: readonly [SomeRole, ...SomeRole[]]
  readonly azure: readonly [SomeRole, ...SomeRole[]]
}

/** Creates roles of both providers in the same project, if possible an authorized and an unauthorized role of each. */
export const rolesOfBoth = async (trial: Trial): Promise<RolesOfBoth> => {
  const { context } = trial
  if (!context.prerequisites.canSeed)
    return { aws: [await createdRole(trial, 'AWS')], azure: [await createdRole(trial, 'AZURE')] }
  const place = await ownProject(context)
  const bothStates = async (provider: string): Promise<RolesOfBoth['aws']> => [
    await seedRole(context, place, provider),
    await seedRole(context, place, provider, authorized),
  ]
  return { aws: await bothStates('AWS'), azure: await bothStates('AZURE') }
}

/** Seeds an authorized role that an export bucket uses. */
export const usedRole = async (context: RunContext): Promise<OwnRole & { readonly bucketId: string }> => {
  const role = await ownRole(context, 'AWS', { ...authorized, iamAssumedRoleArn: arn })
  const bucketId = unusedId()
  const { groupId, roleId: iamRoleId } = role
  const bucket = { _id: bucketId, groupId, bucketName: 'contract', cloudProvider: 'AWS', iamRoleId }
  await seedAt(context, 'exportBuckets', role, `/backup/exportBuckets/${bucketId}`, bucket)
  return { ...role, bucketId }
}

export const readRole = async (
  trial: Trial,
  role: ResourcePath,
  roleId: string,
): Promise<SuccessfulResponse> =>
  successfulResponse(await sendRequest(trial, role, { parameters: { roleId } }, 'getCloudProviderAccessRole'))

export const roleIdOf = (role: Json): string => stringAt(role, 'roleId') ?? ''

/** Returns a role's documented fields without its links. */
export const knownOfRole = (trial: Trial, role: Json | undefined): JsonObject =>
  knownOf(trial, 'getCloudProviderAccessRole', role, 'links')

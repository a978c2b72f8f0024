import { type Json, type JsonObject, stringAt } from '../document/json.ts'
import type { Trial } from '../engine/trial.ts'
import type { World } from '../world/world.ts'
import { type Answered, answered } from './answered.ts'
import { prepared } from './backups.ts'
import { knownOf } from './known-values.ts'
import { someProject } from './lent-places.ts'
import { ask, nobodysId, type OwnPlace, ownProject, type Place, seedAt } from './own-places.ts'

/** A cloud provider access role that nothing else uses. */
export interface OwnRole extends OwnPlace {
  readonly roleId: string
}

/** A role wherever it is. */
export interface SomeRole extends Place {
  readonly roleId: string
}

export const arn = 'arn:aws:iam::123456789012:role/contract'

/** What an authorized role has. */
export const authorized = { authorizedDate: '2025-10-01T10:00:00Z' } satisfies JsonObject

/** Puts a role in place, not authorized unless it is to be. */
export const seedRole = async (
  world: World,
  place: OwnPlace,
  providerName: string,
  differs: JsonObject = {},
): Promise<OwnRole> => {
  const roleId = nobodysId()
  const row = { roleId, providerName, createdDate: '2025-10-01T09:00:00Z', ...differs }
  await seedAt(world, 'cloudProviderAccessRoles', place, `/cloudProviderAccess/${roleId}`, row)
  return { ...place, roleId, parameters: { ...place.parameters, roleId, cloudProvider: providerName } }
}

/** A role in a project of its own. */
export const ownRole = async (
  world: World,
  providerName = 'AWS',
  differs: JsonObject = {},
): Promise<OwnRole> => seedRole(world, await ownProject(world), providerName, differs)

/** A role that the API makes, in the project that is lent, and what was answered. */
const createdRole = async (trial: Trial, cloudProvider: string): Promise<SomeRole> => {
  const place = await someProject(trial)
  const body = { providerName: cloudProvider }
  const made = prepared(await ask(trial, place, { body }, 'createCloudProviderAccessRole'), 'an access role')
  const roleId = roleIdOf(made)
  return { ...place, roleId, parameters: { ...place.parameters, roleId, cloudProvider } }
}

/**
 * A role of AWS that is not authorized, where it need be no other: in a project of its own, or created in the one that
 * is lent. There, none is authorized: with an invented ARN, a service that asks the provider would refuse it.
 */
export const unauthorizedRole = async (trial: Trial): Promise<SomeRole> =>
  trial.world.prerequisites.canSeed ? ownRole(trial.world) : createdRole(trial, 'AWS')

/** An authorized role in a project of its own, or else one that is not in the project that is lent. */
export const someRole = async (
  trial: Trial,
  provider = 'AWS',
  differs: JsonObject = {},
): Promise<SomeRole> =>
  trial.world.prerequisites.canSeed
    ? ownRole(trial.world, provider, { ...authorized, ...differs })
    : createdRole(trial, provider)

/** Two roles of one project: of AWS, and of Azure. */
export const rolesOfBoth = async (trial: Trial): Promise<{ aws: SomeRole; azure: SomeRole }> => {
  const { world } = trial
  if (!world.prerequisites.canSeed)
    return { aws: await createdRole(trial, 'AWS'), azure: await createdRole(trial, 'AZURE') }
  const place = await ownProject(world)
  return {
    aws: await seedRole(world, place, 'AWS'),
    azure: await seedRole(world, place, 'AZURE', authorized),
  }
}

/** An authorized role that an export bucket uses. */
export const usedRole = async (world: World): Promise<OwnRole & { readonly bucketId: string }> => {
  const role = await ownRole(world, 'AWS', { ...authorized, iamAssumedRoleArn: arn })
  const bucketId = nobodysId()
  const { groupId, roleId: iamRoleId } = role
  const bucket = { _id: bucketId, groupId, bucketName: 'contract', cloudProvider: 'AWS', iamRoleId }
  await seedAt(world, 'exportBuckets', role, `/backup/exportBuckets/${bucketId}`, bucket)
  return { ...role, bucketId }
}

export const readRole = async (trial: Trial, role: Place, roleId: string): Promise<Answered> =>
  answered(await ask(trial, role, { parameters: { roleId } }, 'getCloudProviderAccessRole'))

export const roleIdOf = (role: Json): string => stringAt(role, 'roleId') ?? ''

/** What is known of a role, but for its links. */
export const knownOfRole = (trial: Trial, role: Json | undefined): JsonObject =>
  knownOf(trial, 'getCloudProviderAccessRole', role, 'links')

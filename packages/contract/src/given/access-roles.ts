import { type Json, type JsonObject, stringAt } from '../document/json.ts'
import type { Trial } from '../engine/trial.ts'
import type { World } from '../world/world.ts'
import { type Answered, answered } from './answered.ts'
import { knownOf } from './known-values.ts'
import { ask, nobodysId, type OwnPlace, ownProject, seedAt } from './own-places.ts'

/** A cloud provider access role that nothing else uses. */
export interface OwnRole extends OwnPlace {
  readonly roleId: string
}

export const arn = 'arn:aws:iam::123456789012:role/contract'

/** What an authorized role has. */
export const authorized: JsonObject = { authorizedDate: '2025-10-01T10:00:00Z' }

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

/** An authorized role that an export bucket uses. */
export const usedRole = async (world: World): Promise<OwnRole & { readonly bucketId: string }> => {
  const role = await ownRole(world, 'AWS', { ...authorized, iamAssumedRoleArn: arn })
  const bucketId = nobodysId()
  const { groupId, roleId: iamRoleId } = role
  const bucket = { _id: bucketId, groupId, bucketName: 'contract', cloudProvider: 'AWS', iamRoleId }
  await seedAt(world, 'exportBuckets', role, `/backup/exportBuckets/${bucketId}`, bucket)
  return { ...role, bucketId }
}

export const readRole = async (trial: Trial, role: OwnPlace, roleId: string): Promise<Answered> =>
  answered(await ask(trial, role, { parameters: { roleId } }, 'getCloudProviderAccessRole'))

export const roleIdOf = (role: Json): string => stringAt(role, 'roleId') ?? ''

/** What is known of a role, but for its links. */
export const knownOfRole = (trial: Trial, role: Json | undefined): JsonObject =>
  knownOf(trial, 'getCloudProviderAccessRole', role, 'links')

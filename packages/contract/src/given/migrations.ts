import type { JsonObject } from '../document/json.ts'
import type { World } from '../world/world.ts'
import { nobodysId, type OwnCluster, ownCluster, ownProject, seedAt } from './own-places.ts'

/** A cluster that is migrated to. Nothing else uses its project. */
export const destination = async (world: World): Promise<OwnCluster> =>
  ownCluster(world, {}, await ownProject(world))

const host = 'mover-01.contract.example'

/** A migration to a cluster, as create and validate take it. */
export const migrationBody = (
  { groupId, clusterName }: Pick<OwnCluster, 'groupId' | 'clusterName'>,
  differs: JsonObject = {},
): JsonObject => ({
  source: { clusterName: 'self-managed', groupId: nobodysId(), ssl: true, managedAuthentication: true },
  destination: { clusterName, groupId, hostnameSchemaType: 'PUBLIC' },
  migrationHosts: [host],
  dropEnabled: false,
  ...differs,
})

/** A migration that can be cut over at once. */
export const ready: JsonObject = { status: 'WORKING', lagTimeSeconds: 0, readyForCutover: true }

/** A migration that nothing else uses, in the state that its members say. */
export const ownMigration = async (
  world: World,
  members: JsonObject,
): Promise<OwnCluster & { readonly id: string }> => {
  const place = await destination(world)
  const id = nobodysId()
  const { clusterName: _, ...project } = place
  const row: JsonObject = { migrationHosts: [host], ...members, _id: id }
  await seedAt(world, 'migrations', project, `/liveMigrations/${id}`, row)
  return { ...place, id, parameters: { ...place.parameters, liveMigrationId: id } }
}

/** A validation job that nothing else uses, in the state that its members say. */
export const ownValidation = async (
  world: World,
  members: JsonObject,
): Promise<OwnCluster & { readonly id: string }> => {
  const place = await destination(world)
  const id = nobodysId()
  const { clusterName: _, ...project } = place
  const row: JsonObject = { groupId: place.groupId, sourceGroupId: nobodysId(), ...members, _id: id }
  await seedAt(world, 'migrationValidations', project, `/liveMigrations/validate/${id}`, row)
  return { ...place, id, parameters: { ...place.parameters, validationId: id } }
}

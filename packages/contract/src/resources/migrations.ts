import type { Trial } from '../check/trial.ts'
import { type JsonObject, stringAt } from '../document/json.ts'
import type { RunContext } from '../run-context/run-context.ts'
import { type OwnCluster, ownCluster, ownProject, seedAt, sendRequest, unusedId } from './own-resources.ts'
import { type SuccessfulResponse, successfulResponse } from './successful-response.ts'

/** Migrations and validations are both jobs with an ID, and their requests have the same body. */
const jobs = {
  migration: {
    begin: 'createMigration',
    read: 'getMigration',
    parameter: 'liveMigrationId',
    collection: 'migrations',
    path: '/liveMigrations',
  },
  validation: {
    begin: 'validateMigration',
    read: 'getMigrationValidation',
    parameter: 'validationId',
    collection: 'migrationValidations',
    path: '/liveMigrations/validate',
  },
} as const

type JobKind = keyof typeof jobs

/** Creates a migration's destination cluster in a new project. */
export const destination = async (context: RunContext): Promise<OwnCluster> =>
  ownCluster(context, {}, await ownProject(context))

const host = 'mover-01.contract.example'

/** Returns the body for validating or starting a migration to the cluster. */
export const migrationBody = (
  { groupId, clusterName }: Pick<OwnCluster, 'groupId' | 'clusterName'>,
  differs: JsonObject = {},
): JsonObject => ({
  source: { clusterName: 'self-managed', groupId: unusedId(), ssl: true, managedAuthentication: true },
  destination: { clusterName, groupId, hostnameSchemaType: 'PUBLIC' },
  migrationHosts: [host],
  dropEnabled: false,
  ...differs,
})

/** The fields of a migration that is ready for cutover. */
export const ready: JsonObject = { status: 'WORKING', lagTimeSeconds: 0, readyForCutover: true }

const at = (place: OwnCluster, kind: JobKind, id: string): OwnCluster => ({
  ...place,
  parameters: { ...place.parameters, [jobs[kind].parameter]: id },
})

/** Creates a job in the version under test. Returns the job's path and the response. */
export const begin = async (
  trial: Trial,
  kind: JobKind,
  to: Partial<OwnCluster> = {},
): Promise<{ readonly place: OwnCluster; readonly made: SuccessfulResponse }> => {
  const place = await destination(trial.context)
  const body = migrationBody({ ...place, ...to })
  const made = successfulResponse(await sendRequest(trial, place, { body }, jobs[kind].begin))
  return { place: at(place, kind, stringAt(made.body, '_id') ?? ''), made }
}

export const readJob = async (trial: Trial, kind: JobKind, place: OwnCluster): Promise<SuccessfulResponse> =>
  successfulResponse(await sendRequest(trial, place, {}, jobs[kind].read))

const seedJob = async (
  context: RunContext,
  kind: JobKind,
  row: (place: OwnCluster) => JsonObject,
): Promise<OwnCluster & { readonly id: string }> => {
  const place = await destination(context)
  const id = unusedId()
  const { collection, path } = jobs[kind]
  const { clusterName: _, ...project } = place
  await seedAt(context, collection, project, `${path}/${id}`, { ...row(place), _id: id })
  return { ...at(place, kind, id), id }
}

export const ownMigration = (context: RunContext, fields: JsonObject) =>
  seedJob(context, 'migration', () => ({ migrationHosts: [host], ...fields }))

export const ownValidation = (context: RunContext, fields: JsonObject) =>
  seedJob(context, 'validation', ({ groupId }) => ({ groupId, sourceGroupId: unusedId(), ...fields }))

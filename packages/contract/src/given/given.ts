import { isArray, isObject, type Json, listAt, stringAt } from '../document/json.ts'
import { NoCredentials } from '../http/no-credentials.ts'
import { NoResponse } from '../http/transport.ts'
import type { Cell } from '../model/api.ts'
import { NotArranged, Unreachable, Untestable } from '../model/signals.ts'
import { addressOfRun, remarkOfRun } from '../run-context/marks.ts'
import { missingId, type RunContext } from '../run-context/run-context.ts'
import { demoTarget } from '../target/demo.ts'
import type { Target } from '../target/target.ts'
import { namedOnTarget } from './body-resources.ts'
import { clusterFor, fullClusters, isApart } from './clusters.ts'
import { adapted, expectCopies, freshName, ownResources } from './copies.ts'
import { ofRightKind } from './snapshot-kinds.ts'

/** These functions provide the target-specific parts of a valid call, which the OpenAPI documents can't contain. */

/** The specification source shows this event type. Servers may not know other types. */
export const knownEventType = 'DEPLOYMENT_FAILURE'

const named = (context: RunContext, name: string): string => {
  const value = context.target.things[name]
  if (value === undefined) throw new Untestable(missingId(context, name))
  return value
}

/** Returns the body of an alert configuration for this run. The notification address contains the run's tag. */
export const alertConfigBody = (context: RunContext, enabled = true): Json => ({
  enabled,
  eventTypeName: knownEventType,
  notifications: [
    { typeName: 'EMAIL', emailAddress: addressOfRun(context.runTag), delayMin: 0, intervalMin: 60 },
  ],
})

/** Creates an alert configuration for a single check. */
export const freshAlertConfig = async (context: RunContext, enabled = true): Promise<string> => {
  if (context.target.readOnly) throw new Untestable('permission to create resources (the run is read-only)')
  const groupId = named(context, 'groupId')
  const body = await context.perform(
    'createAlertConfig',
    { groupId },
    { body: alertConfigBody(context, enabled) },
  )
  return stringAt(body, 'id') ?? named(context, 'alertConfigId')
}

const sharedAlertConfig = (context: RunContext): Promise<string> =>
  context.once('alertConfigId', async () =>
    context.target.readOnly ? named(context, 'alertConfigId') : freshAlertConfig(context),
  )

/** A second configuration is needed, because a single item isn't enough to test a list's order and pages. */
const secondAlertConfig = (context: RunContext): Promise<string> =>
  context.once('second alertConfigId', () => freshAlertConfig(context, false))

/**
 * Returns the clusters where no event of this type has an open alert, because ending the event would close that alert.
 * Returns all clusters if each has such an alert.
 */
const clustersWithoutAlert = async (context: RunContext, groupId: string): Promise<readonly string[]> => {
  let list: Json = null
  // The target may not implement the list.
  await ifPossible(async () => {
    list = await context.perform('listAlerts', { groupId, status: 'OPEN' })
  })
  const taken = new Set(
    listAt(list, 'results').flatMap((alert) =>
      stringAt(alert, 'eventTypeName') === knownEventType ? [stringAt(alert, 'clusterName')] : [],
    ),
  )
  const names = fullClusters(context).map(({ name }) => name)
  const free = names.filter((name) => !taken.has(name))
  return free.length > 0 ? free : names
}

/**
 * Raises one alert in each of the target's first `count` clusters. Returns the alerts that the configuration raised.
 */
export const raiseAlerts = async (
  context: RunContext,
  alertConfigId: string,
  count: number,
): Promise<string[]> => {
  const groupId = named(context, 'groupId')
  const raised: string[] = []
  const clusters = (await clustersWithoutAlert(context, groupId)).map((clusterName) => ({ clusterName }))
  // If the project has no clusters, the condition applies to the project itself.
  const places = clusters.length > 0 ? clusters.slice(0, count) : [{}]
  for (const place of places)
    raised.push(
      ...(await context.prerequisites.event({
        groupId,
        eventTypeName: knownEventType,
        ...place,
        active: true,
      })),
    )
  const own: string[] = []
  for (const alertId of raised) {
    const alert = await context.perform('getAlert', { groupId, alertId })
    if (stringAt(alert, 'alertConfigId') === alertConfigId) own.push(alertId)
  }
  if (own.length === 0) throw new Untestable('an alert of an alert configuration that the run created')
  return own
}

/**
 * Returns an alert that all checks share. If the kit can't raise an alert, returns an existing alert, because the API
 * can't create alerts.
 */
const sharedAlert = (context: RunContext): Promise<string> =>
  context.once('alertId', async () => {
    if (context.prerequisites.canRaiseEvents && !context.target.readOnly) {
      const [own] = await raiseAlerts(context, await sharedAlertConfig(context), 3)
      if (own !== undefined) return own
    }
    if (context.target.things.alertId !== undefined) return context.target.things.alertId
    const page = await context.perform('listAlerts', { groupId: named(context, 'groupId') })
    const [first] = listAt(page, 'results')
    const id = stringAt(first, 'id')
    if (id === undefined) throw new Untestable('an alert in the project')
    return id
  })

/** Returns the cloud provider for the access roles that the run creates. */
const providerOfRole = ({ target }: RunContext): string => target.things.cloudProvider ?? 'AWS'

/**
 * Creates an access role for a single check. The role isn't authorized, because that would require an
 * account with the provider.
 */
const freshRole = async (context: RunContext): Promise<string> => {
  if (context.target.readOnly) throw new Untestable('permission to create resources (the run is read-only)')
  const body = { providerName: providerOfRole(context) }
  const made = await context.perform(
    'createCloudProviderAccessRole',
    { groupId: named(context, 'groupId') },
    { body },
  )
  return stringAt(made, 'roleId') ?? named(context, 'roleId')
}

/** Returns the role from the target file. If there is none, creates a role. */
const sharedRole = (context: RunContext): string | Promise<string> =>
  context.target.things.roleId ?? context.once('roleId', () => freshRole(context))

/** Returns the shared role's provider. If the target file contains a role ID, it must also contain the provider. */
const providerOfShared = (context: RunContext): string =>
  context.prerequisites.canSeed && context.target.things.roleId !== undefined
    ? named(context, 'cloudProvider')
    : providerOfRole(context)

/** Resources that a run creates or finds only once. All operations share these resources. */
const sharedParameters: Readonly<Record<string, (context: RunContext) => string | Promise<string>>> = {
  alertConfigId: sharedAlertConfig,
  alertId: sharedAlert,
  cloudProvider: providerOfShared,
  roleId: sharedRole,
}

type ParameterSource = (context: RunContext, operation: Cell['operation']) => string | Promise<string>

const parameterSources: Readonly<Record<string, ParameterSource>> = {
  ...sharedParameters,
  clusterName: (context, operation) => clusterFor(context, operation).name,
  hostname: (context, operation) => clusterFor(context, operation).hostname ?? named(context, 'hostname'),
}

/** The values of these path parameters come from the run or from `clusters`, so the target file can omit them. */
export const parametersFromRun: ReadonlySet<string> = new Set(Object.keys(parameterSources))

/** An operation that deletes a resource needs a resource that no other check uses. */
const freshParameterSources: Readonly<Record<string, (context: RunContext) => string | Promise<string>>> = {
  alertConfigId: (context) => freshAlertConfig(context, false),
  // If resources can be seeded, the operation later gets a copy of the shared role.
  roleId: (context) => (context.prerequisites.canSeed ? sharedRole(context) : freshRole(context)),
}

/**
 * Returns the resource that the target file names for this operation (`operationId.parameter`) or for all operations.
 */
const shared = (
  context: RunContext,
  operation: Cell['operation'],
  name: string,
): string | Promise<string> => {
  const ofOne = `${operation.id}.${name}`
  return (
    context.target.things[ofOne] ??
    parameterSources[name]?.(context, operation) ??
    named(context, isApart(operation, name) ? ofOne : name)
  )
}

export const givenParameters = async (context: RunContext, cell: Cell): Promise<Record<string, string>> => {
  const { operation } = cell
  expectCopies(context, cell)
  const values: Record<string, string> = {}
  for (const name of operation.pathParameters) {
    const last = name === operation.pathParameters.at(-1)
    const fresh = operation.method === 'DELETE' && last ? freshParameterSources[name] : undefined
    values[name] = fresh === undefined ? await shared(context, operation, name) : await fresh(context)
  }
  return ownResources(context, cell, await ofRightKind(context, operation, values))
}

const namesIn = new WeakMap<RunContext, ReadonlyMap<string, string>>()

/**
 * Returns the notification addresses in the examples. A run replaces these addresses, because it must not
 * send notifications to them.
 */
const addresses = ({ demo }: RunContext): string[] =>
  (demo.rows.alertConfigs ?? [])
    .flatMap((row) => listAt(row, 'notifications'))
    .flatMap((notification) => stringAt(notification, 'emailAddress') ?? [])

/**
 * Returns the descriptions, comments and custom data in an example. The run adds its tag to these texts, so that people
 * can see which run created a resource.
 */
const remarksIn = (value: Json, isRemark = false): string[] => {
  if (typeof value === 'string') return isRemark ? [value] : []
  if (isArray(value)) return value.flatMap((element) => remarksIn(element))
  return Object.entries(isObject(value) ? value : {}).flatMap(([name, field]) =>
    name === 'customData'
      ? listAt(value, name).flatMap((entry) => stringAt(entry, 'value') ?? [])
      : remarksIn(field, name === 'description' || name === 'acknowledgementComment'),
  )
}

const remarks = ({ api }: RunContext): string[] =>
  api.cells.flatMap(
    ({ definition }) => definition.body?.examples.flatMap((example) => remarksIn(example)) ?? [],
  )

const tagged = (context: RunContext): readonly [string, string][] => [
  ...addresses(context).map((address): [string, string] => [address, addressOfRun(context.runTag)]),
  ...remarks(context).map((text): [string, string] => [text, remarkOfRun(text, context.runTag)]),
]

/** Returns a map from the demo organization's names, which the documented examples contain, to the target's names. */
const namesOnTarget = (context: RunContext): ReadonlyMap<string, string> => {
  const known =
    namesIn.get(context) ??
    new Map([...context.demo.names, ...differentNames(context.target), ...tagged(context)])
  namesIn.set(context, known)
  return known
}

const differentNames = (target: Target): ReadonlyMap<string, string> => {
  const { things } = demoTarget({ baseUrl: target.baseUrl })
  return new Map(
    Object.entries(things).flatMap(([name, value]): [string, string][] => {
      const other = target.things[name]
      return other === undefined || other === value ? [] : [[value, other]]
    }),
  )
}

/** Replaces the demo organization's names in a documented body with the target's names. */
export const onTarget = (context: RunContext, body: Json | undefined): Json | undefined => {
  const names = namesOnTarget(context)
  return names.size === 0 ? body : adapted(body, names)
}

/**
 * Returns path parameters for a request without credentials. Values that the target file doesn't contain come
 * from the documented example, so the run doesn't have to create anything.
 */
export const exampleParameters = (
  { target }: RunContext,
  { operation, definition }: Cell,
): Record<string, string> => {
  const path = definition.parameters.filter((parameter) => parameter.in === 'path')
  const own = (name: string) => target.things[`${operation.id}.${name}`] ?? target.things[name]
  return Object.fromEntries(path.map(({ name, example }) => [name, own(name) ?? String(example)]))
}

/** Returns the body for operations whose body must contain the run's tag. */
const taggedBody = (context: RunContext, { operation }: Cell): Json | undefined => {
  if (operation.path.endsWith('/alertConfigs') && operation.method === 'POST') return alertConfigBody(context)
  if (operation.method === 'PUT' && operation.path.endsWith('{alertConfigId}'))
    return alertConfigBody(context)
  return undefined
}

/** Replaces the bucket name from the example, because a server may reject a name that already exists. */
const withFreshName = ({ definition }: Cell, body: Json): Json => {
  const name = stringAt(body, 'bucketName')
  const isExample = definition.body?.examples.some((example) => stringAt(example, 'bucketName') === name)
  return isObject(body) && name !== undefined && isExample ? { ...body, bucketName: freshName(name) } : body
}

/**
 * Returns a documented or generated body with the target's names and resources.
 *
 * @throws Untestable if the body needs a resource that the target file doesn't name.
 */
export const bodyOnTarget = (context: RunContext, cell: Cell, body: Json): Json =>
  withFreshName(
    cell,
    onTarget(
      context,
      namedOnTarget(context, cell, body, () => clusterFor(context, cell.operation).name),
    ) ?? body,
  )

/**
 * Returns the body for a valid call: the first documented example, with the target's names.
 *
 * @throws Untestable if the body needs a resource that the target file doesn't name.
 */
export const givenBody = (context: RunContext, cell: Cell): Json | undefined => {
  const example = cell.definition.body?.examples[0]
  return (
    taggedBody(context, cell) ?? (example === undefined ? undefined : bodyOnTarget(context, cell, example))
  )
}

/** Returns the body for a request without credentials. The resources in the body don't have to exist. */
export const exampleBody = (context: RunContext, cell: Cell): Json | undefined =>
  taggedBody(context, cell) ?? onTarget(context, cell.definition.body?.examples[0])

/** Called for each request without a response. */
type OnUnanswered = (error: NoResponse) => void

/**
 * Runs a preparation. If a prerequisite is missing, continues without an error, because the checks report it.
 *
 * @throws Unreachable if the target no longer responds.
 */
export const ifPossible = async (
  work: () => Promise<unknown>,
  onUnanswered: OnUnanswered = () => {},
): Promise<void> => {
  try {
    await work()
  } catch (error) {
    if (error instanceof NoResponse && error.isUnreachable) throw new Unreachable(error.message)
    if (error instanceof NoResponse) onUnanswered(error)
    const lacking =
      error instanceof Untestable ||
      error instanceof NoCredentials ||
      error instanceof NoResponse ||
      error instanceof NotArranged
    if (!lacking) throw error
  }
}

/**
 * Creates the resources that checks share. The resources are created before checks run in parallel, because a
 * list must not grow while a check reads it.
 */
export const prepare = async (
  context: RunContext,
  cells: readonly Cell[],
  onUnanswered?: OnUnanswered,
): Promise<void> => {
  const areas = new Set(cells.map(({ operation }) => operation.area))
  const related = context.api.cells.filter(({ operation }) => areas.has(operation.area))
  const names = new Set(related.flatMap(({ operation }) => operation.pathParameters))
  const shared = [...names].flatMap((name) => sharedParameters[name] ?? [])
  for (const give of names.has('alertConfigId') ? [...shared, secondAlertConfig] : shared)
    await ifPossible(async () => give(context), onUnanswered)
}

/** These lists always contain exactly one item, for example the configuration that raised an alert. */
export const singleItemLists: ReadonlySet<string> = new Set(['listAlertConfigsByAlert'])

/** These path parameters don't identify a resource. If no resource matches a parameter's value, the list is empty. */
export const parametersThatNameNothing: ReadonlySet<string> = new Set([
  'listCollectionFtsIndexes.databaseName',
  'listCollectionFtsIndexes.collectionName',
  'listCollectionSearchIndexes.databaseName',
  'listCollectionSearchIndexes.collectionName',
])

/**
 * For these fields, a value that matches the schema may still be invalid. The fields have a special format, name an
 * existing resource, or depend on other fields. Separate cases for each operation test these fields.
 */
export const boundByMoreThanSchema: ReadonlySet<string> = new Set([
  'authorizeCloudProviderAccessRole/iamAssumedRoleArn',
  'authorizeCloudProviderAccessRole/providerName',
  'createRestoreJob/deliveryType',
  'createRestoreJob/targetClusterName',
  'createServerlessRestoreJob/deliveryType',
  'createServerlessRestoreJob/targetClusterName',
  'updateAuditingConfig/auditFilter',
  'updateBackupSchedule/export/exportBucketId',
  'updateBackupSchedule/restoreWindowDays',
  'updateCompliancePolicy/projectId',
  'updateCompliancePolicy/restoreWindowDays',
  'updateCompliancePolicy/scheduledPolicyItems/0/retentionUnit',
  'updateCompliancePolicy/scheduledPolicyItems/0/retentionValue',
])

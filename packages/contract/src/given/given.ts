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
import { adapted, expectCopies, ownResources } from './copies.ts'
import { ofRightKind } from './snapshot-kinds.ts'

// The parts of a valid call that depend on the target's resources and are therefore not in the documents.

/** The event type for this run's alerts. */
const eventTypeName = 'HOST_DOWN'

const named = (context: RunContext, name: string): string => {
  const value = context.target.things[name]
  if (value === undefined) throw new Untestable(missingId(context, name))
  return value
}

/** An alert configuration that belongs to this run. Its notification address contains the run's tag. */
export const alertConfigBody = (context: RunContext, enabled = true): Json => ({
  enabled,
  eventTypeName,
  notifications: [
    { typeName: 'EMAIL', emailAddress: addressOfRun(context.runTag), delayMin: 0, intervalMin: 60 },
  ],
})

/** Creates an alert configuration that only one check uses. */
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

/** Lists need two items, because order and pages can't be tested with a single item. */
const secondAlertConfig = (context: RunContext): Promise<string> =>
  context.once('second alertConfigId', () => freshAlertConfig(context, false))

/** Raises alerts for a configuration, one for each of the target's first clusters. Returns the alerts' IDs. */
export const raiseAlerts = async (
  context: RunContext,
  alertConfigId: string,
  count: number,
): Promise<string[]> => {
  const groupId = named(context, 'groupId')
  const raised: string[] = []
  const clusters = fullClusters(context).map(({ name }) => ({ clusterName: name }))
  // In a project without clusters, the condition applies to the project itself.
  const places = clusters.length > 0 ? clusters.slice(0, count) : [{}]
  for (const place of places)
    raised.push(...(await context.prerequisites.event({ groupId, eventTypeName, ...place, active: true })))
  const own: string[] = []
  for (const alertId of raised) {
    const alert = await context.perform('getAlert', { groupId, alertId })
    if (stringAt(alert, 'alertConfigId') === alertConfigId) own.push(alertId)
  }
  if (own.length === 0) throw new Untestable('an alert of an alert configuration that the run created')
  return own
}

/** Alerts can't be created through the API. If the kit can't raise an alert, it uses an existing alert. */
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

/** The cloud provider for access roles that the run creates. */
const providerOfRole = ({ target }: RunContext): string => target.things.cloudProvider ?? 'AWS'

/**
 * Creates an access role that only one check uses. The role isn't authorized, because authorization requires an account
 * with the provider.
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

/** The role from the target file. If there is none, the run creates one. */
const sharedRole = (context: RunContext): string | Promise<string> =>
  context.target.things.roleId ?? context.once('roleId', () => freshRole(context))

/** If the target file contains only a role ID, the provider is unknown. */
const providerOfShared = (context: RunContext): string =>
  context.prerequisites.canSeed && context.target.things.roleId !== undefined
    ? named(context, 'cloudProvider')
    : providerOfRole(context)

/** Resources that a run creates or finds only once, and that all operations share. */
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

/** Path parameters with values from the run or from `clusters`. */
export const parametersFromRun: ReadonlySet<string> = new Set(Object.keys(parameterSources))

/** Operations that delete a resource need a separate one. */
const freshParameterSources: Readonly<Record<string, (context: RunContext) => string | Promise<string>>> = {
  alertConfigId: (context) => freshAlertConfig(context, false),
  // If resources can be seeded, the operation gets a copy of the shared role.
  roleId: (context) => (context.prerequisites.canSeed ? sharedRole(context) : freshRole(context)),
}

/** The resource that the target file names for one operation (`operationId.parameter`) or for all. */
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

/** Notification addresses in the examples. The run must not send anything to these addresses. */
const addresses = ({ demo }: RunContext): string[] =>
  (demo.rows.alertConfigs ?? [])
    .flatMap((row) => listAt(row, 'notifications'))
    .flatMap((notification) => stringAt(notification, 'emailAddress') ?? [])

/**
 * Texts in the examples that are only for readers. The run adds its tag to them, so that readers can see where the
 * resources come from.
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

/**
 * Maps the demo organization's names to the target's names. Documented examples contain the demo organization's
 * names.
 */
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

/** A documented body, with the target's names. */
export const onTarget = (context: RunContext, body: Json | undefined): Json | undefined => {
  const names = namesOnTarget(context)
  return names.size === 0 ? body : adapted(body, names)
}

/**
 * Path parameters for a caller without credentials. Values that are missing from the target file come from the
 * documented example, so nothing is created.
 */
export const exampleParameters = (
  { target }: RunContext,
  { operation, definition }: Cell,
): Record<string, string> => {
  const path = definition.parameters.filter((parameter) => parameter.in === 'path')
  const own = (name: string) => target.things[`${operation.id}.${name}`] ?? target.things[name]
  return Object.fromEntries(path.map(({ name, example }) => [name, own(name) ?? String(example)]))
}

/** Bodies that must contain the run's tag. */
const taggedBody = (context: RunContext, { operation }: Cell): Json | undefined => {
  if (operation.path.endsWith('/alertConfigs') && operation.method === 'POST') return alertConfigBody(context)
  if (operation.method === 'PUT' && operation.path.endsWith('{alertConfigId}'))
    return alertConfigBody(context)
  return undefined
}

/**
 * Returns a documented or generated body in the form in which a valid call sends it.
 *
 * @throws Untestable if the body needs a resource that the target file doesn't name.
 */
export const bodyOnTarget = (context: RunContext, cell: Cell, body: Json): Json =>
  onTarget(
    context,
    namedOnTarget(context, cell, body, () => clusterFor(context, cell.operation).name),
  ) ?? body

/**
 * The body for a valid call. This is the first documented example, with the run's tag if required.
 *
 * @throws Untestable if the body needs a resource that the target file doesn't name.
 */
export const givenBody = (context: RunContext, cell: Cell): Json | undefined => {
  const example = cell.definition.body?.examples[0]
  return (
    taggedBody(context, cell) ?? (example === undefined ? undefined : bodyOnTarget(context, cell, example))
  )
}

/** The body for a request without credentials. The resources in it don't have to exist. */
export const exampleBody = (context: RunContext, cell: Cell): Json | undefined =>
  taggedBody(context, cell) ?? onTarget(context, cell.definition.body?.examples[0])

/** Called for each request that gets no response. */
type OnUnanswered = (error: NoResponse) => void

/**
 * Runs a preparation as far as possible. Checks then report missing resources.
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
 * Creates the resources that checks share, before the checks run in parallel. Checks may read any resource in their
 * area, so lists must not grow while a check reads them.
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

/** Lists that always contain exactly one item, such as the configurations that raised an alert. */
export const singleItemLists: ReadonlySet<string> = new Set(['listAlertConfigsByAlert'])

/** Path parameters that don't identify a resource. For any value, the list can be empty. */
export const parametersThatNameNothing: ReadonlySet<string> = new Set([
  'listCollectionFtsIndexes.databaseName',
  'listCollectionFtsIndexes.collectionName',
  'listCollectionSearchIndexes.databaseName',
  'listCollectionSearchIndexes.collectionName',
])

/**
 * Fields for which valid values can't be generated from the schema alone. They have a special format, name an existing
 * resource, or depend on other fields. The operations' own cases test these fields.
 */
export const boundByMoreThanSchema: ReadonlySet<string> = new Set([
  'authorizeCloudProviderAccessRole/providerName',
  'createRestoreJob/targetClusterName',
  'createServerlessRestoreJob/targetClusterName',
  'updateAuditingConfig/auditFilter',
  'updateBackupSchedule/export/exportBucketId',
  'updateBackupSchedule/restoreWindowDays',
  'updateCompliancePolicy/projectId',
  'updateCompliancePolicy/restoreWindowDays',
  'updateCompliancePolicy/scheduledPolicyItems/0/retentionUnit',
  'updateCompliancePolicy/scheduledPolicyItems/0/retentionValue',
])

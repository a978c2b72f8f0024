import { isArray, isObject, type Json, listAt, stringAt } from '../document/json.ts'
import type { Cell } from '../engine/api.ts'
import { NotArranged, Unreachable, Untestable } from '../engine/signals.ts'
import { NoCredentials } from '../http/no-credentials.ts'
import { NoResponse } from '../http/transport.ts'
import { addressOfRun, remarkOfRun } from '../run-context/marks.ts'
import type { RunContext } from '../run-context/run-context.ts'
import { demoTarget } from '../target/demo.ts'
import type { Target } from '../target/target.ts'
import { namedOnTarget } from './body-resources.ts'
import { clusterFor, fullClusters, isApart } from './clusters.ts'
import { adapted, expectCopies, ownResources } from './copies.ts'
import { ofRightKind } from './snapshot-kinds.ts'

// What a good call needs and the documents cannot say: which things exist on the target.

/** An event type that alerts of a run are raised for. */
const eventTypeName = 'HOST_DOWN'

const named = ({ target }: RunContext, name: string): string => {
  const value = target.things[name]
  if (value === undefined) throw new Untestable(`the ${name} of something that exists`)
  return value
}

/** An alert configuration of this run. The tag stands in the address that is told of alerts. */
export const alertConfigBody = (context: RunContext, enabled = true): Json => ({
  enabled,
  eventTypeName,
  notifications: [
    { typeName: 'EMAIL', emailAddress: addressOfRun(context.runTag), delayMin: 0, intervalMin: 60 },
  ],
})

/** An alert configuration that belongs to one check alone. */
export const freshAlertConfig = async (context: RunContext, enabled = true): Promise<string> => {
  if (context.target.readOnly) throw new Untestable('leave to create (the run is read-only)')
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

/** A list of one shows neither order nor pages. */
const secondAlertConfig = (context: RunContext): Promise<string> =>
  context.once('second alertConfigId', () => freshAlertConfig(context, false))

/** Raises alerts of a configuration, one for each of the first clusters if there are any; returns their identifiers. */
export const raiseAlerts = async (
  context: RunContext,
  alertConfigId: string,
  count: number,
): Promise<string[]> => {
  const groupId = named(context, 'groupId')
  const raised: string[] = []
  const clusters = fullClusters(context).map(({ name }) => ({ clusterName: name }))
  // A project without clusters has conditions of its own.
  const places = clusters.length > 0 ? clusters.slice(0, count) : [{}]
  for (const place of places)
    raised.push(...(await context.prerequisites.event({ groupId, eventTypeName, ...place, active: true })))
  const own: string[] = []
  for (const alertId of raised) {
    const alert = await context.perform('getAlert', { groupId, alertId })
    if (stringAt(alert, 'alertConfigId') === alertConfigId) own.push(alertId)
  }
  if (own.length === 0) throw new Untestable('an alert of an alert configuration that the run made')
  return own
}

/** Alerts are kept by the target, so without a way to raise one, one that exists is used. */
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

/** The provider that an access role of the run's own is one of. */
const providerOfRole = ({ target }: RunContext): string => target.things.cloudProvider ?? 'AWS'

/** An access role that belongs to one check alone. Nobody authorizes it: that takes an account at the provider. */
const freshRole = async (context: RunContext): Promise<string> => {
  if (context.target.readOnly) throw new Untestable('leave to create (the run is read-only)')
  const body = { providerName: providerOfRole(context) }
  const made = await context.perform(
    'createCloudProviderAccessRole',
    { groupId: named(context, 'groupId') },
    { body },
  )
  return stringAt(made, 'roleId') ?? named(context, 'roleId')
}

/** The role that the target names, or else one that the run makes. */
const sharedRole = (context: RunContext): string | Promise<string> =>
  context.target.things.roleId ?? context.once('roleId', () => freshRole(context))

/** Where the target names a role of which no more is known, nobody can tell its provider. */
const providerOfShared = (context: RunContext): string =>
  context.prerequisites.canSeed && context.target.things.roleId !== undefined
    ? named(context, 'cloudProvider')
    : providerOfRole(context)

/** What a run makes once, or finds, for whatever operation needs it. */
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

/** Path parameters whose things a run makes, or takes from `clusters`. */
export const parametersFromRun: ReadonlySet<string> = new Set(Object.keys(parameterSources))

/** What an operation that removes its resource needs: one that nothing else uses. */
const freshParameterSources: Readonly<Record<string, (context: RunContext) => string | Promise<string>>> = {
  alertConfigId: (context) => freshAlertConfig(context, false),
  // Where things can be put in place, a copy of the role is.
  roleId: (context) => (context.prerequisites.canSeed ? sharedRole(context) : freshRole(context)),
}

/** The thing that a target names for one operation (`operationId.parameter`), or for every operation. */
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

/** The path parameters of a good call. */
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

/** Addresses that examples tell of alerts; nobody reads there what a run raises. */
const addresses = ({ demo }: RunContext): string[] =>
  (demo.rows.alertConfigs ?? [])
    .flatMap((row) => listAt(row, 'notifications'))
    .flatMap((notification) => stringAt(notification, 'emailAddress') ?? [])

/** Texts of examples that nothing but people reads: who finds one on a service shall know where it comes from. */
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

/** What the target calls the things that the demo organisation, and so the examples of the documents, has. */
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

/** A body of the documents, in the names of the target where it has others. */
export const onTarget = (context: RunContext, body: Json | undefined): Json | undefined => {
  const names = namesOnTarget(context)
  return names.size === 0 ? body : adapted(body, names)
}

/**
 * Path parameters for a caller who is to be turned away at the door: what the target file does not give is the
 * example of the document, and nothing is made.
 */
export const exampleParameters = (
  { target }: RunContext,
  { operation, definition }: Cell,
): Record<string, string> => {
  const path = definition.parameters.filter((parameter) => parameter.in === 'path')
  const own = (name: string) => target.things[`${operation.id}.${name}`] ?? target.things[name]
  return Object.fromEntries(path.map(({ name, example }) => [name, own(name) ?? String(example)]))
}

/** Bodies that have to carry the run's tag. */
const taggedBody = (context: RunContext, { operation }: Cell): Json | undefined => {
  if (operation.path.endsWith('/alertConfigs') && operation.method === 'POST') return alertConfigBody(context)
  if (operation.method === 'PUT' && operation.path.endsWith('{alertConfigId}'))
    return alertConfigBody(context)
  return undefined
}

/**
 * A body of the documents, or one that is made from one, as a good call has it.
 *
 * @throws Untestable where it names something that the target has not, as far as its file tells.
 */
export const bodyOnTarget = (context: RunContext, cell: Cell, body: Json): Json =>
  onTarget(
    context,
    namedOnTarget(context, cell, body, () => clusterFor(context, cell.operation).name),
  ) ?? body

/**
 * The body of a good call: the first example of the document, but for what has to carry the run's tag.
 *
 * @throws Untestable where it names something that the target has not, as far as its file tells.
 */
export const givenBody = (context: RunContext, cell: Cell): Json | undefined => {
  const example = cell.definition.body?.examples[0]
  return (
    taggedBody(context, cell) ?? (example === undefined ? undefined : bodyOnTarget(context, cell, example))
  )
}

/** The body for a caller who is to be turned away at the door: what it names need not be there. */
export const exampleBody = (context: RunContext, cell: Cell): Json | undefined =>
  taggedBody(context, cell) ?? onTarget(context, cell.definition.body?.examples[0])

/** Hears of a request that had no answer. */
type OnUnanswered = (error: NoResponse) => void

/**
 * Does what prepares a run, as far as that is possible: what is lacking is made for nobody, and the checks that need it
 * say so themselves.
 *
 * @throws Unreachable when nothing answers at the target any more.
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
 * Makes what the checks of a run share, before they run side by side. A check may look at the things of every
 * operation of its area, and a list must not grow while another check reads it.
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

/** Lists that have one item by nature: an alert has the one configuration that raised it. */
export const singleItemLists: ReadonlySet<string> = new Set(['listAlertConfigsByAlert'])

/** Path parameters whose values name nothing of their own: whatever is asked for, the list may be empty. */
export const parametersThatNameNothing: ReadonlySet<string> = new Set([
  'listCollectionFtsIndexes.databaseName',
  'listCollectionFtsIndexes.collectionName',
  'listCollectionSearchIndexes.databaseName',
  'listCollectionSearchIndexes.collectionName',
])

/**
 * Members whose good values depend on more than their schema, so that none can be made from it: they have a form of
 * their own, name something that exists, or have to agree with other members. The cases of the operations try them.
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

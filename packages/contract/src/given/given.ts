import { isArray, isObject, type Json, listAt, stringAt } from '../document/json.ts'
import type { Cell } from '../engine/api.ts'
import { NotArranged, Unreachable, Untestable } from '../engine/signals.ts'
import { NoCredentials } from '../http/no-credentials.ts'
import { NoResponse } from '../http/transport.ts'
import { demoTarget } from '../target/demo.ts'
import type { Target } from '../target/target.ts'
import { addressOfRun, remarkOfRun } from '../world/marks.ts'
import type { World } from '../world/world.ts'
import { namedOnTarget } from './body-things.ts'
import { clusterFor, fullClusters, isApart } from './clusters.ts'
import { adapted, expectCopies, ownThings } from './copies.ts'
import { ofRightKind } from './snapshot-kinds.ts'

// What a good call needs and the documents cannot say: which things exist on the target.

/** An event type that alerts of a run are raised for. */
const eventTypeName = 'HOST_DOWN'

const named = ({ target }: World, name: string): string => {
  const value = target.things[name]
  if (value === undefined) throw new Untestable(`the ${name} of something that exists`)
  return value
}

/** An alert configuration of this run. The tag stands in the address that is told of alerts. */
export const alertConfigBody = (world: World, enabled = true): Json => ({
  enabled,
  eventTypeName,
  notifications: [
    { typeName: 'EMAIL', emailAddress: addressOfRun(world.runTag), delayMin: 0, intervalMin: 60 },
  ],
})

/** An alert configuration that belongs to one check alone. */
export const freshAlertConfig = async (world: World, enabled = true): Promise<string> => {
  if (world.target.readOnly) throw new Untestable('leave to create (the run is read-only)')
  const groupId = named(world, 'groupId')
  const body = await world.perform(
    'createAlertConfig',
    { groupId },
    { body: alertConfigBody(world, enabled) },
  )
  return stringAt(body, 'id') ?? named(world, 'alertConfigId')
}

const sharedAlertConfig = (world: World): Promise<string> =>
  world.once('alertConfigId', async () =>
    world.target.readOnly ? named(world, 'alertConfigId') : freshAlertConfig(world),
  )

/** A list of one shows neither order nor pages. */
const secondAlertConfig = (world: World): Promise<string> =>
  world.once('second alertConfigId', () => freshAlertConfig(world, false))

/** Raises alerts of a configuration, one for each of the first clusters if there are any; returns their identifiers. */
export const raiseAlerts = async (world: World, alertConfigId: string, count: number): Promise<string[]> => {
  const groupId = named(world, 'groupId')
  const raised: string[] = []
  const clusters = fullClusters(world).map(({ name }) => ({ clusterName: name }))
  // A project without clusters has conditions of its own.
  const places = clusters.length > 0 ? clusters.slice(0, count) : [{}]
  for (const place of places)
    raised.push(...(await world.prerequisites.event({ groupId, eventTypeName, ...place, active: true })))
  const own: string[] = []
  for (const alertId of raised) {
    const alert = await world.perform('getAlert', { groupId, alertId })
    if (stringAt(alert, 'alertConfigId') === alertConfigId) own.push(alertId)
  }
  if (own.length === 0) throw new Untestable('an alert of an alert configuration that the run made')
  return own
}

/** Alerts are kept by the target, so without a way to raise one, one that exists is used. */
const sharedAlert = (world: World): Promise<string> =>
  world.once('alertId', async () => {
    if (world.prerequisites.canRaiseEvents && !world.target.readOnly) {
      const [own] = await raiseAlerts(world, await sharedAlertConfig(world), 3)
      if (own !== undefined) return own
    }
    if (world.target.things.alertId !== undefined) return world.target.things.alertId
    const page = await world.perform('listAlerts', { groupId: named(world, 'groupId') })
    const [first] = listAt(page, 'results')
    const id = stringAt(first, 'id')
    if (id === undefined) throw new Untestable('an alert in the project')
    return id
  })

/** The provider that an access role of the run's own is one of. */
const providerOfRole = ({ target }: World): string => target.things.cloudProvider ?? 'AWS'

/** An access role that belongs to one check alone. Nobody authorizes it: that takes an account at the provider. */
const freshRole = async (world: World): Promise<string> => {
  if (world.target.readOnly) throw new Untestable('leave to create (the run is read-only)')
  const body = { providerName: providerOfRole(world) }
  const made = await world.perform(
    'createCloudProviderAccessRole',
    { groupId: named(world, 'groupId') },
    { body },
  )
  return stringAt(made, 'roleId') ?? named(world, 'roleId')
}

/** The role that the target names, or else one that the run makes. */
const sharedRole = (world: World): string | Promise<string> =>
  world.target.things.roleId ?? world.once('roleId', () => freshRole(world))

/** Where the target names a role of which no more is known, nobody can tell its provider. */
const providerOfShared = (world: World): string =>
  world.prerequisites.canSeed && world.target.things.roleId !== undefined
    ? named(world, 'cloudProvider')
    : providerOfRole(world)

/** What a run makes once, or finds, for whatever operation needs it. */
const made: Readonly<Record<string, (world: World) => string | Promise<string>>> = {
  alertConfigId: sharedAlertConfig,
  alertId: sharedAlert,
  cloudProvider: providerOfShared,
  roleId: sharedRole,
}

type Giver = (world: World, operation: Cell['operation']) => string | Promise<string>

const givers: Readonly<Record<string, Giver>> = {
  ...made,
  clusterName: (world, operation) => clusterFor(world, operation).name,
  hostname: (world, operation) => clusterFor(world, operation).hostname ?? named(world, 'hostname'),
}

/** Path parameters whose things a run makes, or takes from `clusters`. */
export const givenByRun: ReadonlySet<string> = new Set(Object.keys(givers))

/** What an operation that removes its resource needs: one that nothing else uses. */
const freshGivers: Readonly<Record<string, (world: World) => string | Promise<string>>> = {
  alertConfigId: (world) => freshAlertConfig(world, false),
  // Where things can be put in place, a copy of the role is.
  roleId: (world) => (world.prerequisites.canSeed ? sharedRole(world) : freshRole(world)),
}

/** The thing that a target names for one operation (`operationId.parameter`), or for every operation. */
const shared = (world: World, operation: Cell['operation'], name: string): string | Promise<string> => {
  const ofOne = `${operation.id}.${name}`
  return (
    world.target.things[ofOne] ??
    givers[name]?.(world, operation) ??
    named(world, isApart(operation, name) ? ofOne : name)
  )
}

/** The path parameters of a good call. */
export const givenParameters = async (world: World, cell: Cell): Promise<Record<string, string>> => {
  const { operation } = cell
  expectCopies(world, cell)
  const values: Record<string, string> = {}
  for (const name of operation.pathParameters) {
    const last = name === operation.pathParameters.at(-1)
    const fresh = operation.method === 'DELETE' && last ? freshGivers[name] : undefined
    values[name] = fresh === undefined ? await shared(world, operation, name) : await fresh(world)
  }
  return ownThings(world, cell, await ofRightKind(world, operation, values))
}

const namesIn = new WeakMap<World, ReadonlyMap<string, string>>()

/** Addresses that examples tell of alerts; nobody reads there what a run raises. */
const addresses = ({ demo }: World): string[] =>
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

const remarks = ({ api }: World): string[] =>
  api.cells.flatMap(
    ({ definition }) => definition.body?.examples.flatMap((example) => remarksIn(example)) ?? [],
  )

const tagged = (world: World): readonly [string, string][] => [
  ...addresses(world).map((address): [string, string] => [address, addressOfRun(world.runTag)]),
  ...remarks(world).map((text): [string, string] => [text, remarkOfRun(text, world.runTag)]),
]

/** What the target calls the things that the demo organisation, and so the examples of the documents, has. */
const namesOnTarget = (world: World): ReadonlyMap<string, string> => {
  const known =
    namesIn.get(world) ?? new Map([...world.demo.names, ...differentNames(world.target), ...tagged(world)])
  namesIn.set(world, known)
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
export const onTarget = (world: World, body: Json | undefined): Json | undefined => {
  const names = namesOnTarget(world)
  return names.size === 0 ? body : adapted(body, names)
}

/**
 * Path parameters for a caller who is to be turned away at the door: what the target file does not give is the
 * example of the document, and nothing is made.
 */
export const pretendedParameters = (
  { target }: World,
  { operation, definition }: Cell,
): Record<string, string> => {
  const path = definition.parameters.filter((parameter) => parameter.in === 'path')
  const own = (name: string) => target.things[`${operation.id}.${name}`] ?? target.things[name]
  return Object.fromEntries(path.map(({ name, example }) => [name, own(name) ?? String(example)]))
}

/** Bodies that have to carry the run's tag. */
const taggedBody = (world: World, { operation }: Cell): Json | undefined => {
  if (operation.path.endsWith('/alertConfigs') && operation.method === 'POST') return alertConfigBody(world)
  if (operation.method === 'PUT' && operation.path.endsWith('{alertConfigId}')) return alertConfigBody(world)
  return undefined
}

/**
 * A body of the documents, or one that is made from one, as a good call has it.
 *
 * @throws Untestable where it names something that the target has not, as far as its file tells.
 */
export const bodyOnTarget = (world: World, cell: Cell, body: Json): Json =>
  onTarget(
    world,
    namedOnTarget(world, cell, body, () => clusterFor(world, cell.operation).name),
  ) ?? body

/**
 * The body of a good call: the first example of the document, but for what has to carry the run's tag.
 *
 * @throws Untestable where it names something that the target has not, as far as its file tells.
 */
export const givenBody = (world: World, cell: Cell): Json | undefined => {
  const example = cell.definition.body?.examples[0]
  return taggedBody(world, cell) ?? (example === undefined ? undefined : bodyOnTarget(world, cell, example))
}

/** The body for a caller who is to be turned away at the door: what it names need not be there. */
export const pretendedBody = (world: World, cell: Cell): Json | undefined =>
  taggedBody(world, cell) ?? onTarget(world, cell.definition.body?.examples[0])

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
    if (error instanceof NoResponse && error.isNobodyThere) throw new Unreachable(error.message)
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
  world: World,
  cells: readonly Cell[],
  onUnanswered?: OnUnanswered,
): Promise<void> => {
  const areas = new Set(cells.map(({ operation }) => operation.area))
  const related = world.api.cells.filter(({ operation }) => areas.has(operation.area))
  const names = new Set(related.flatMap(({ operation }) => operation.pathParameters))
  const shared = [...names].flatMap((name) => made[name] ?? [])
  for (const give of names.has('alertConfigId') ? [...shared, secondAlertConfig] : shared)
    await ifPossible(async () => give(world), onUnanswered)
}

/** Lists that have one item by nature: an alert has the one configuration that raised it. */
export const singleItemLists: ReadonlySet<string> = new Set(['listAlertConfigsByAlert'])

/** Path parameters whose values name nothing of their own: whatever is asked for, the list may be empty. */
export const namesOfNothing: ReadonlySet<string> = new Set([
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

import { limits } from '@svc-admin/types'
import { type Json, listAt, stringAt } from '../document/json.ts'
import type { Cell } from '../engine/api.ts'
import { Untestable } from '../engine/signals.ts'
import type { World } from '../world/world.ts'

// What a good call needs and the documents cannot say: which things exist on the target.

/** An event type that alerts of a run are raised for. */
export const eventTypeName = 'HOST_DOWN'

const named = ({ target }: World, name: string): string => {
  const value = target.things[name]
  if (value === undefined) throw new Untestable(`the ${name} of something that exists`)
  return value
}

const withoutAccessHistory: readonly string[] = limits.tiersWithoutAccessHistory.values

/** Clusters whose tier has access history. */
export const fullClusters = ({ target }: World) =>
  (target.clusters ?? []).filter(({ tier }) => !withoutAccessHistory.includes(tier))

/** Clusters whose tier has no access history. */
export const smallClusters = ({ target }: World) =>
  (target.clusters ?? []).filter(({ tier }) => withoutAccessHistory.includes(tier))

/** An alert configuration of this run. The tag stands in the address that is told of alerts. */
export const alertConfigBody = ({ runTag }: World, enabled = true): Json => ({
  enabled,
  eventTypeName,
  notifications: [
    { typeName: 'EMAIL', emailAddress: `${runTag}@contract.example`, delayMin: 0, intervalMin: 60 },
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

/** Raises alerts of a configuration, one for each of the first clusters; returns their identifiers. */
export const raiseAlerts = async (world: World, alertConfigId: string, count: number): Promise<string[]> => {
  const groupId = named(world, 'groupId')
  const raised: string[] = []
  for (const { name } of fullClusters(world).slice(0, count))
    raised.push(
      ...(await world.prerequisites.event({ groupId, eventTypeName, clusterName: name, active: true })),
    )
  const own: string[] = []
  for (const alertId of raised) {
    const alert = await world.perform('getAlert', { groupId, alertId })
    if (stringAt(alert, 'alertConfigId') === alertConfigId) own.push(alertId)
  }
  if (own.length === 0) throw new Untestable('an alert of an alert configuration that the run made')
  return own
}

/** Ends what `raiseAlerts` began. */
export const endAlerts = async (world: World): Promise<void> => {
  const groupId = named(world, 'groupId')
  for (const { name } of fullClusters(world))
    await world.prerequisites.event({ groupId, eventTypeName, clusterName: name, active: false })
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

const cluster = (world: World) => {
  const [first] = fullClusters(world)
  if (first === undefined) throw new Untestable('a cluster of a tier with access history')
  return first
}

const givers: Readonly<Record<string, (world: World) => string | Promise<string>>> = {
  alertConfigId: sharedAlertConfig,
  alertId: sharedAlert,
  clusterName: (world) => cluster(world).name,
  hostname: (world) => cluster(world).hostname ?? named(world, 'hostname'),
}

/** What an operation that removes its resource needs: one that nothing else uses. */
const freshGivers: Readonly<Record<string, (world: World) => Promise<string>>> = {
  alertConfigId: (world) => freshAlertConfig(world, false),
}

const give = (world: World, { operation }: Cell, name: string): string | Promise<string> => {
  const last = name === operation.pathParameters.at(-1)
  const fresh = operation.method === 'DELETE' && last ? freshGivers[name] : undefined
  const giver = fresh ?? givers[name]
  return giver === undefined ? named(world, name) : giver(world)
}

/** The path parameters of a good call. */
export const givenParameters = async (world: World, cell: Cell): Promise<Record<string, string>> => {
  const values: Record<string, string> = {}
  for (const name of cell.operation.pathParameters) values[name] = await give(world, cell, name)
  return values
}

/**
 * Path parameters for a caller who is to be turned away at the door: what the target file does not give is the
 * example of the document, and nothing is made.
 */
export const pretendedParameters = ({ target }: World, { definition }: Cell): Record<string, string> => {
  const path = definition.parameters.filter((parameter) => parameter.in === 'path')
  return Object.fromEntries(path.map(({ name, example }) => [name, target.things[name] ?? String(example)]))
}

/** Bodies that have to carry the run's tag; the others are the examples of the document. */
export const givenBody = (world: World, { operation, definition }: Cell): Json | undefined => {
  if (operation.path.endsWith('/alertConfigs') && operation.method === 'POST') return alertConfigBody(world)
  if (operation.method === 'PUT' && operation.path.endsWith('{alertConfigId}')) return alertConfigBody(world)
  return definition.body?.examples[0]
}

/**
 * Makes what the checks of a run share, before they run side by side. A check may look at the things of every
 * operation of its area, and a list must not grow while another check reads it.
 */
export const prepare = async (world: World, cells: readonly Cell[]): Promise<void> => {
  const areas = new Set(cells.map(({ operation }) => operation.area))
  const related = world.api.cells.filter(({ operation }) => areas.has(operation.area))
  const names = new Set(related.flatMap(({ operation }) => operation.pathParameters))
  for (const name of names) {
    try {
      await givers[name]?.(world)
    } catch (error) {
      // The checks that need it say so themselves.
      if (!(error instanceof Untestable)) throw error
    }
  }
}

/** Lists that have one item by nature: an alert has the one configuration that raised it. */
export const singleItemLists: ReadonlySet<string> = new Set(['listAlertConfigsByAlert'])

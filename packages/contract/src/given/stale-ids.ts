import { jsonBody } from '../document/json.ts'
import { NoCredentials } from '../http/no-credentials.ts'
import { NoResponse } from '../http/transport.ts'
import type { Cell } from '../model/api.ts'
import { buildCall, requestOf } from '../model/call.ts'
import { describeResponse } from '../model/expect.ts'
import { NotArranged, Untestable } from '../model/signals.ts'
import type { StaleId } from '../model/stale-id.ts'
import { allowedHolder, anyAuthorizationOf } from '../run-context/holders.ts'
import type { RunContext } from '../run-context/run-context.ts'
import { clusterFor } from './clusters.ts'
import { parametersThatNameNothing } from './given.ts'

/** These parameters aren't checked here, because the run checks the project together with the credentials. */
const scopes: readonly string[] = ['groupId', 'orgId']

/** Returns whether an operation returns a single resource, whose ID or name is the last segment of the path. */
const returns = ({ operation }: Cell, parameter: string): boolean => operation.path.endsWith(`{${parameter}}`)

/**
 * Returns the newest version of each read operation that the target implements. Operations that return a single
 * resource come first.
 */
const readersOf = (probed: readonly Cell[], { notImplemented }: RunContext, parameter: string): Cell[] => {
  const cells = probed.filter(
    (cell) =>
      cell.operation.method === 'GET' &&
      cell.operation.security === 'api' &&
      cell.operation.pathParameters.includes(parameter) &&
      !parametersThatNameNothing.has(`${cell.operation.id}.${parameter}`) &&
      !notImplemented.has(cell),
  )
  const newest = [...new Map(cells.map((cell) => [cell.operation.id, cell])).values()]
  const isOwn = (cell: Cell): boolean => returns(cell, parameter)
  return [...newest.filter(isOwn), ...newest.filter((cell) => !isOwn(cell))]
}

/** Returns a call's path parameters, or `undefined` if the target file doesn't contain all of them. */
const parametersFor = (
  context: RunContext,
  { operation }: Cell,
  named: Readonly<Record<string, string>>,
): Record<string, string> | undefined => {
  const { things } = context.target
  const entries = operation.pathParameters.map((name): [string, string | undefined] => {
    if (named[name] !== undefined) return [name, named[name]]
    const own = things[`${operation.id}.${name}`]
    if (own !== undefined || name !== 'clusterName') return [name, own ?? things[name]]
    return [name, clusterFor(context, operation).name]
  })
  const known = entries.filter((entry): entry is [string, string] => entry[1] !== undefined)
  return known.length === entries.length ? Object.fromEntries(known) : undefined
}

const read = async (context: RunContext, cell: Cell, parameters: Readonly<Record<string, string>>) => {
  const as = anyAuthorizationOf(allowedHolder(context.target, cell), cell.operation.id)
  return context.session.send(requestOf(buildCall(cell, { parameters, body: undefined, as })), as)
}

/**
 * Returns whether a 404 for a resource may be a bug in the target. The target may have a bug if a list
 * contains the resource or can't be read.
 */
const mayBeHidden = async (
  context: RunContext,
  { operation, version }: Cell,
  parameters: Readonly<Record<string, string>>,
  value: string,
): Promise<boolean> => {
  const path = operation.path.slice(0, operation.path.lastIndexOf('/'))
  const list = context.api.cells.find(
    (cell) =>
      cell.operation.path === path && cell.operation.method === 'GET' && cell.version.id === version.id,
  )
  if (list === undefined || context.notImplemented.has(list)) return false
  const { response } = await read(context, list, parameters)
  return response.status !== 200 || JSON.stringify(jsonBody(response) ?? '').includes(JSON.stringify(value))
}

/**
 * If one of these errors occurs, the kit can't tell whether the resource exists, so the run continues to use the name.
 */
const isInconclusive = (error: unknown): boolean =>
  [Untestable, NoCredentials, NoResponse, NotArranged].some((kind) => error instanceof kind)

/**
 * Describes the response that shows that the resource doesn't exist. Returns `undefined` if the resource exists or if
 * the kit can't tell.
 */
const absence = async (
  context: RunContext,
  cells: readonly Cell[],
  named: Readonly<Record<string, string>>,
): Promise<string | undefined> => {
  const [[parameter, value] = ['', '']] = Object.entries(named)
  let shownBy: string | undefined
  for (const cell of cells) {
    try {
      const parameters = parametersFor(context, cell, named)
      if (parameters === undefined) continue
      const exchange = await read(context, cell, parameters)
      if (exchange.response.status !== 404) return undefined
      if (returns(cell, parameter) && (await mayBeHidden(context, cell, parameters, value))) return undefined
      shownBy ??= `${cell.operation.id} returned ${describeResponse(exchange)}`
    } catch (error) {
      if (!isInconclusive(error)) throw error
    }
  }
  return shownBy
}

/** Puts clusters first, because the paths of other resources contain them. */
const inOrder = (names: readonly string[]): string[] => {
  const isCluster = (name: string): boolean => name.endsWith('clusterName')
  return [...names.filter(isCluster), ...names.filter((name) => !isCluster(name))]
}

/**
 * Finds names in the target file that don't match an existing resource, for example because the resource has expired.
 * Removes stale names from the run. Checks that need these names are then untestable. Otherwise, the checks would fail
 * even though the target correctly returns 404. Uses only read operations that have been probed, because a missing
 * operation also returns 404.
 */
export const withdrawStaleIds = async (
  context: RunContext,
  probed: readonly Cell[],
): Promise<readonly StaleId[]> => {
  for (const { name } of [...(context.target.clusters ?? [])]) {
    const shownBy = await absence(context, readersOf(probed, context, 'clusterName'), { clusterName: name })
    if (shownBy) context.withdraw({ field: 'clusters', value: name, shownBy })
  }
  for (const name of inOrder(Object.keys(context.target.things))) {
    const value = context.target.things[name]
    const [parameter = name, operation] = name.split('.').reverse()
    if (value === undefined || scopes.includes(parameter)) continue
    const readers = readersOf(probed, context, parameter)
    const own = readers.filter(({ operation: { id } }) => operation === undefined || id === operation)
    const shownBy = await absence(context, own, { [parameter]: value })
    if (shownBy) context.withdraw({ field: `things.${name}`, value, shownBy })
  }
  return context.staleIds
}

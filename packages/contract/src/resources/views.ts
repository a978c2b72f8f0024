import { limits } from '@svc-admin/types'
import type { Trial } from '../check/trial.ts'
import { isArray, isObject, type Json, numberAt, objectAt, stringAt } from '../document/json.ts'
import type { Authorization } from '../http/authorization.ts'
import type { Exchange } from '../http/exchange.ts'
import { type Cell, successSchemaOf } from '../model/api.ts'
import { buildCall, type Query } from '../model/call.ts'
import { bodyOf, isSuccess } from '../model/expect.ts'
import { allowedHolder, anyAuthorizationOf } from '../run-context/holders.ts'
import type { RunContext } from '../run-context/run-context.ts'

/**
 * These functions find the operations that show a resource. The schema of an operation's response, or of the items in
 * it, is the resource's schema.
 */

/** The operation whose resource to find. A trial also has these fields. */
interface At {
  readonly context: Pick<RunContext, 'api'>
  readonly cell: Cell
}

/** An operation that shows a resource, either alone or in a list. */
export interface View {
  readonly cell: Cell
  /** The names of the array fields that contain the resource. An empty name stands for the whole body. */
  readonly lists: readonly string[]
}

/** Returns the schema of the resource that an operation returns, or `undefined` if it returns none. */
export const schemaOf = (cell: Cell): string | undefined => successSchemaOf(cell)?.pointer

const itemsOf = (cell: Cell, pointer: string): string | undefined => {
  const { document } = cell.version
  const list = document.follow(pointer)
  return list.value.items === undefined ? undefined : document.follow(`${list.pointer}/items`).pointer
}

const viewOf = (cell: Cell, schema: string): View | undefined => {
  const place = successSchemaOf(cell)
  if (place === undefined) return undefined
  if (place.pointer === schema) return { cell, lists: [] }
  if (itemsOf(cell, place.pointer) === schema) return { cell, lists: [''] }
  const names = Object.keys(objectAt(place.value, 'properties'))
  const lists = names.filter((name) => itemsOf(cell, `${place.pointer}/properties/${name}`) === schema)
  return lists.length === 0 ? undefined : { cell, lists }
}

const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/**
 * Returns the operation that shows a resource, if the operation under test changes or deletes the resource
 * without returning it.
 */
const resourceCell = ({ context, cell }: At): Cell | undefined => {
  const { path } = cell.operation
  const parent = path.slice(0, path.lastIndexOf('/'))
  const all = context.api.cells.filter(
    (one) => one.version.id === cell.version.id && one.operation.method === 'GET',
  )
  const at = (wanted: string) => all.find(({ operation }) => operation.path === wanted)
  const last = lastSegment(path)
  const same = all.find(
    ({ operation }) =>
      last.startsWith('{') &&
      lastSegment(operation.path) === last &&
      operation.pathParameters.every((name) => cell.operation.pathParameters.includes(name)),
  )
  return at(path) ?? same ?? (last.startsWith('{') ? undefined : at(parent))
}

/**
 * Returns all operations that show the resource created or changed by the operation under test, in the same version.
 */
export const viewsOf = (trial: At): View[] => {
  const { cell } = trial
  const own = resourceCell(trial)
  const schema = schemaOf(cell) ?? (own && schemaOf(own))
  if (schema === undefined) return []
  return readersOf(trial).flatMap((reader) => viewOf(reader, schema) ?? [])
}

const readersOf = ({ context, cell }: At): Cell[] => {
  const readers = context.api.cells
    .filter(({ operation }) => operation.method === 'GET' && operation.area === cell.operation.area)
    .flatMap(({ operation }) => context.api.cell(operation.id, cell.version.id) ?? [])
  return [...new Set(readers)]
}

/** An operation that returns a single item of a list, and the list's fields that contain such items. */
export interface ItemReader {
  readonly view: View
  readonly schema: string
  readonly lists: readonly string[]
}

/** Returns the operations that return a single item of the list under test. */
export const itemReadersOf = (trial: Trial): ItemReader[] =>
  readersOf(trial).flatMap((cell): ItemReader[] => {
    const schema = schemaOf(cell)
    const lists = schema === undefined ? [] : (viewOf(trial.cell, schema)?.lists ?? [])
    return schema === undefined || lists.length === 0 ? [] : [{ view: { cell, lists: [] }, schema, lists }]
  })

const identities = ['id', '_id', 'indexID', 'roleId'] as const

export const identityOf = (resource: Json | undefined): string | undefined =>
  stringAt(resource, identities.find((name) => stringAt(resource, name) !== undefined) ?? identities[0])

/** These path parameters have a different name in the resource. */
const aliases: Readonly<Record<string, string>> = { databaseName: 'database', indexName: 'name' }

/**
 * Returns the path parameters of a view. Path parameters come from the path of the change and from the
 * resource. Returns `undefined` if a parameter is unknown, such as the alert that belongs to a configuration.
 */
export const parametersFor = (
  { cell, lists }: View,
  known: Readonly<Record<string, string>>,
  resource: Json | undefined,
): Record<string, string> | undefined => {
  const values: Record<string, string> = {}
  for (const name of cell.operation.pathParameters) {
    const isOwn = lists.length === 0 && name === cell.operation.pathParameters.at(-1) && /Id$/.test(name)
    const field = aliases[name] ?? name
    const value = known[name] ?? stringAt(resource, field) ?? (isOwn ? identityOf(resource) : undefined)
    if (value === undefined) return undefined
    values[name] = value
  }
  return values
}

export const pageSize = limits.itemsPerPage.default

/** A resource as it appears in a view. */
export interface Shown {
  readonly view: View
  readonly exchange: Exchange
  /** The resource, or `undefined` if the view doesn't contain it. */
  readonly resource: Json | undefined
  /** Whether the view is a full page. If a page is full, other pages may contain more items. */
  readonly isPart: boolean
  readonly totalCount: number | undefined
  /** All resources in the view. */
  readonly items: readonly Json[]
}

/** The resource that the views should show, and its path. */
export interface Subject {
  readonly parameters: Readonly<Record<string, string>>
  readonly resource: Json | undefined
  /** The caller, if it isn't a caller from the target file. */
  readonly as?: Authorization
}

/** Returns the resources in the given lists of a body. */
export const itemsIn = (body: Json, lists: readonly string[]): readonly Json[] =>
  lists.flatMap((name) => {
    const list = name === '' ? body : isObject(body) ? body[name] : undefined
    return isArray(list) ? list : []
  })

const allowedAt = ({ target }: RunContext, cell: Cell): Authorization =>
  anyAuthorizationOf(allowedHolder(target, cell), cell.operation.id)

/** Reads a resource through a view. Returns `undefined` if the view's path is unknown. */
export const lookAt = async (
  trial: Trial,
  view: View,
  { parameters: known, resource, as = allowedAt(trial.context, view.cell) }: Subject,
  query: Query = [],
): Promise<Shown | undefined> => {
  const { context } = trial
  const parameters = parametersFor(view, known, resource)
  if (parameters === undefined || context.notImplemented.has(view.cell)) return undefined
  const exchange = await trial.send(buildCall(view.cell, { parameters, body: undefined, as }, { query }))
  const isFound = isSuccess(exchange)
  const single = { view, exchange, isPart: false, totalCount: undefined }
  if (!isFound || exchange.response.body === '') return { ...single, resource: undefined, items: [] }
  const body = bodyOf(exchange)
  if (view.lists.length === 0) return { ...single, resource: body, items: [body] }
  const items = itemsIn(body, view.lists)
  const totalCount = numberAt(body, 'totalCount')
  const id = identityOf(resource)
  const own = items.find((item) => identityOf(item) === id && id !== undefined)
  const isPart = items.length >= pageSize && (totalCount ?? 0) > items.length
  return { view, exchange, resource: own, isPart, totalCount, items }
}

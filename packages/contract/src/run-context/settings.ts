import type { OperationId } from '@svc-admin/types'
import { operations } from '@svc-admin/types'
import type { Document, SchemaLocation } from '../document/document.ts'
import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  sameJson,
  stringAt,
} from '../document/json.ts'
import type { Cell } from '../model/api.ts'
import type { Target } from '../target/target.ts'

/**
 * A setting of a project or cluster. One operation reads a setting, and another operation at the same path changes it.
 */
export interface Setting {
  readonly read: OperationId
  readonly change: OperationId
  /** The operation that clears the setting, if it can be cleared. */
  readonly empty?: OperationId
}

/** Returns the setting at a path, if there is one. */
export const settingAt = (path: string): Setting | undefined => {
  const here = Object.values(operations).filter((one) => one.path === path)
  const idOf = (...methods: readonly string[]): OperationId | undefined =>
    here.find(({ method }) => methods.includes(method))?.id
  const [read, change, empty] = [idOf('GET'), idOf('PUT', 'PATCH'), idOf('DELETE')]
  if (read === undefined || change === undefined) return undefined
  return { read, change, ...(empty !== undefined && !path.endsWith('}') && { empty }) }
}

/**
 * Returns whether all resources in a path existed before the run. Resources that a run creates, seeds or copies have
 * different names.
 */
export const isProvided = (
  { things, clusters = [] }: Target,
  parameters: Readonly<Record<string, string>>,
): boolean => {
  const known = new Set([...Object.values(things), ...clusters.map(({ name }) => name)])
  return Object.entries(parameters).every(([name, value]) => name === 'alertId' || known.has(value))
}

const partsOf = (document: Document, schema: SchemaLocation): SchemaLocation[] => [
  schema,
  ...listAt(schema.value, 'allOf').flatMap((_, index) =>
    partsOf(document, document.follow(`${schema.pointer}/allOf/${index}`)),
  ),
]

/** Returns the schema of a field in requests. */
const fieldSchema = (
  document: Document,
  schema: SchemaLocation,
  name: string,
): SchemaLocation | undefined => {
  for (const { pointer, value } of partsOf(document, schema)) {
    const { properties } = value
    if (!isObject(properties) || !Object.hasOwn(properties, name)) continue
    const field = document.follow(`${pointer}/properties/${name}`)
    return field.value.readOnly === true ? undefined : field
  }
  return undefined
}

/**
 * Returns whether the schema lists the fields of its objects. If the schema doesn't list these fields, requests contain
 * all fields of the response.
 */
const isClosed = (document: Document, schema: SchemaLocation): boolean =>
  partsOf(document, schema).some(({ value }) => isObject(value.properties))

/** Returns the parts of a response that a request may contain. */
const sendable = (document: Document, schema: SchemaLocation, value: Json): Json => {
  if (isArray(value)) {
    const items = document.follow(`${schema.pointer}/items`)
    return value.map((element) => sendable(document, items, element))
  }
  if (!isObject(value) || !isClosed(document, schema)) return value
  const fields: Record<string, Json> = {}
  for (const [name, field] of Object.entries(value)) {
    const own = fieldSchema(document, schema, name)
    if (own !== undefined && field !== null) fields[name] = sendable(document, own, field)
  }
  return fields
}

/** Converts a response to a request body. Returns `null` if a request can't contain any part of the response. */
export const bodyLike = ({ definition, version }: Cell, response: Json): Json => {
  const schema = definition.body?.schema
  const body = schema === undefined ? null : sendable(version.document, schema, response)
  return isObject(body) && Object.keys(body).length === 0 ? null : body
}

/** Returns the body that ends an acknowledgement. A time in the past works in all versions. */
const endOfAcknowledgement = (now: JsonObject): JsonObject => ({
  acknowledgedUntil: stringAt(now, 'created') ?? '1970-01-01T00:00:00Z',
})

/** Returns the body that restores a setting. The body contains only the fields that have changed. */
export const changeBack = (cell: Cell, found: Json, now: Json): Json => {
  const [before, after] = [bodyLike(cell, found) ?? {}, bodyLike(cell, now) ?? {}]
  if (cell.operation.method === 'PUT' || !isObject(before) || !isObject(after)) return before
  const changed = Object.entries(before).filter(([name, value]) => !sameJson(value, after[name]))
  const added = Object.entries(after).filter(([name]) => before[name] === undefined)
  const emptied = added.flatMap(([name, value]): [string, Json][] => (isArray(value) ? [[name, []]] : []))
  const acknowledged = 'acknowledgedUntil' in after && !('acknowledgedUntil' in before)
  return {
    ...Object.fromEntries([...changed, ...emptied]),
    ...(acknowledged && isObject(now) && endOfAcknowledgement(now)),
  }
}

/** Returns whether all fields that requests can set are off or empty. */
export const isUnset = (cell: Cell, found: Json): boolean => {
  const body = bodyLike(cell, found)
  const fields = isObject(body) ? Object.values(body) : [body]
  return fields.every((value) => value === null || value === false || (isArray(value) && value.length === 0))
}

/** Returns how two responses differ in the fields that requests can set. */
export const differences = (cell: Cell, found: Json, now: Json): string[] => {
  const [before, after] = [bodyLike(cell, found) ?? {}, bodyLike(cell, now) ?? {}]
  if (!isObject(before) || !isObject(after)) return sameJson(before, after) ? [] : ['the value']
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter((name) => !sameJson(before[name], after[name])).sort()
}

/** Returns whether two responses are equal in the fields that requests can set. */
export const isAsFound = (cell: Cell, found: Json, now: Json): boolean =>
  differences(cell, found, now).length === 0

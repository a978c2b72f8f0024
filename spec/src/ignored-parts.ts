import { bodyOf } from './body.ts'
import type { OpenApiDocument, Operation, Schema } from './model.ts'

/** Removes the parts of a request body that the operation ignores. Modifies the body in place. */
export type RemoveIgnoredParts = (body: unknown) => void

/**
 * Returns a function that removes ignored parts from a request body: the read-only fields of the resource, and `null`
 * in optional fields that don't accept it. Operations ignore these parts so that clients can read a resource, change it
 * and send it back.
 */
export function ignoredPartsOf(document: OpenApiDocument, operation: Operation): RemoveIgnoredParts {
  const schema = requestSchemaOf(operation)
  const readOnly = readOnlyFields(document, operation)
  return (body) => {
    if (!isFields(body) || !schema) return
    for (const name of readOnly) if (Object.hasOwn(body, name)) delete body[name]
    if (containsNull(body)) removeNulls(document, body, [schema])
  }
}

/**
 * Returns the fields that an operation ignores in its request body. These are the read-only fields of the resource that
 * the operation returns.
 */
export function readOnlyFields(document: OpenApiDocument, operation: Operation): string[] {
  const request = requestSchemaOf(operation)
  if (!request) return []
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1]
  const [, response] = bodyOf(success?.content) ?? []
  const writable = propertiesOf(document, request)
  return Object.entries(propertiesOf(document, response?.schema ?? {}))
    .filter(([name, property]) => !(name in writable) && isReadOnly(document, property))
    .map(([name]) => name)
    .sort()
}

const requestSchemaOf = ({ requestBody }: Operation): Schema | undefined =>
  Object.values(requestBody?.content ?? {})[0]?.schema

function propertiesOf(document: OpenApiDocument, schema: Schema): Record<string, Schema> {
  const target = targetOf(document, schema)
  return {
    ...(target ? propertiesOf(document, target) : {}),
    ...Object.assign({}, ...(schema.allOf ?? []).map((part) => propertiesOf(document, part))),
    ...schema.properties,
  }
}

function isReadOnly(document: OpenApiDocument, schema: Schema): boolean {
  if (schema.readOnly !== undefined) return schema.readOnly
  const target = targetOf(document, schema)
  return target !== undefined && isReadOnly(document, target)
}

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns whether a value contains `null`. Most bodies contain no `null`, so comparing them with the schema would waste
 * time.
 */
const containsNull = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.values(value).some(containsNull))

function removeNulls(document: OpenApiDocument, value: unknown, schemas: readonly Schema[]): void {
  const applicable = schemas.flatMap((schema) => applicableSchemas(document, schema, value))
  if (Array.isArray(value)) {
    const items = applicable.flatMap(({ items }) => (items ? [items] : []))
    for (const item of value) removeNulls(document, item, items)
    return
  }
  if (!isFields(value)) return
  for (const [name, field] of Object.entries(value)) {
    const defined = applicable.flatMap(({ properties = {} }) => propertyOf(properties, name))
    if (field !== null) removeNulls(document, field, defined)
    else if (defined.length > 0 && isOptional(name, applicable) && !allowNull(document, defined))
      delete value[name]
  }
}

const propertyOf = (properties: Record<string, Schema>, name: string): Schema[] => {
  const found = Object.hasOwn(properties, name) ? properties[name] : undefined
  return found ? [found] : []
}

const isOptional = (name: string, schemas: readonly Schema[]): boolean =>
  !schemas.some(({ required }) => required?.includes(name))

/**
 * Returns the schemas that apply to a value: the schema itself, its parts and its alternatives. If there is a
 * discriminator, it selects one of the alternatives.
 */
function applicableSchemas(document: OpenApiDocument, schema: Schema, value: unknown): Schema[] {
  const target = targetOf(document, schema)
  const { propertyName, mapping = {} } = schema.discriminator ?? {}
  const kind = propertyName !== undefined && isFields(value) ? value[propertyName] : undefined
  const chosen = typeof kind === 'string' ? mapping[kind] : undefined
  const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  const within = [
    ...(target ? [target] : []),
    ...(schema.allOf ?? []),
    ...(chosen === undefined ? alternatives : [{ $ref: chosen }]),
  ]
  return [schema, ...within.flatMap((one) => applicableSchemas(document, one, value))]
}

const allowNull = (document: OpenApiDocument, schemas: readonly Schema[]): boolean =>
  schemas.some((schema) => allowsNull(document, schema))

function allowsNull(document: OpenApiDocument, schema: Schema): boolean {
  const { type, enum: values, anyOf, oneOf, allOf = [] } = schema
  const target = targetOf(document, schema)
  const alternatives = anyOf ?? oneOf
  return (
    (type === undefined || [type].flat().includes('null')) &&
    (values === undefined || values.includes(null)) &&
    (alternatives === undefined || allowNull(document, alternatives)) &&
    [...allOf, ...(target ? [target] : [])].every((part) => allowsNull(document, part))
  )
}

function targetOf(document: OpenApiDocument, { $ref }: Schema): Schema | undefined {
  return document.components.schemas[$ref?.split('/').at(-1) ?? '']
}

import { loadControlDocument, type Schema } from '@svc-admin/spec'
import { parseQuery, type QueryError, queryProblem, shownName } from '../http/query-string.ts'
import { validationMessage } from '../http/validation-message.ts'
import { documentOf, newestVersion } from '../specification/documents.ts'
import { typeNames } from '../specification/type-names.ts'
import { machinesWithModes, noModeMessage } from '../world/transition-modes.ts'
import { ControlInputError, dateTimeError, type Fields, fieldsOf, isDateTime, list } from './fields.ts'

/** Validates requests to the control interface. */
export interface CheckRequest {
  /**
   * Validates a query string and returns its parameters.
   *
   * @throws {Problem} if a parameter is unknown or repeated.
   */
  query(route: string, query: string): ReadonlyMap<string, string>
  /**
   * Validates a body.
   *
   * @throws {ControlInputError} if the body is invalid.
   */
  body(route: string, body: unknown): void
}

/**
 * Reads the request schemas from the control interface's OpenAPI document. Rejects values of the wrong type and unknown
 * fields, because a misspelled field would otherwise have no effect. A `route` has the format `PUT /fixtures/:name`.
 */
export function createRequestCheck(): CheckRequest {
  const document = fieldsOf(loadControlDocument(), 'The document')
  const find = finderIn(document)
  const operationOf = (route: string): Fields => {
    const [method = '', path = ''] = route.split(' ')
    const paths = fieldsOf(document.paths, 'paths')
    const item = fieldsOf(paths[path.replace(/:(\w+)/g, '{$1}')] ?? {}, route)
    return fieldsOf(item[method.toLowerCase()] ?? {}, route)
  }
  return {
    query: (route, query) => {
      const given = parseQuery(query)
      if (given.size === 0) return given
      const parameters = list(operationOf(route), 'parameters').map((one) => partOf(one, find))
      const known = parameters.filter((one) => one.in === 'query').map(({ name }) => String(name))
      const unknown = [...given.keys()].filter((name) => !known.includes(name))
      if (unknown.length > 0) throw queryProblem(unknown.map(unknownParameter))
      return given
    },
    body: (route, body) => {
      const { requestBody } = operationOf(route)
      if (requestBody === undefined) checkValue(nothing, body, '', find)
      else {
        const { content } = partOf(requestBody, find)
        const { schema } = fieldsOf(fieldsOf(content, route)['application/json'], route)
        checkValue(fieldsOf(schema, route), body, '', find)
      }
    },
  }
}

/** The schema for requests without a body. */
const nothing: Schema = { type: 'object', additionalProperties: false }

const unknownParameter = (name: string): QueryError => [
  name,
  `The operation has no query parameter ${shownName(name)}.`,
]

/** Returns a part of the OpenAPI document. If the part is a reference, returns the target of the reference. */
function partOf(part: unknown, find: Find): Fields {
  const fields = fieldsOf(part, 'A part of the document')
  return typeof fields.$ref === 'string' ? find(fields.$ref) : fields
}

type Find = (reference: string) => Schema

function finderIn(document: Fields): Find {
  return (reference) =>
    reference
      .split('/')
      .slice(1)
      .reduce((at, name) => fieldsOf(at[name], reference), document)
}

/**
 * Validates a value against a schema.
 *
 * @param at The path of the value, such as `apiKeys[0].roles`, or an empty string for the whole body.
 */
function checkValue(part: Schema, value: unknown, at: string, find: Find): void {
  const schema = resolvedSchema(part, find)
  if (!isOfType(schema, value)) throw new ControlInputError(`${nameOf(at)} must be ${expected(schema)}`)
  if (schema.anyOf) checkAlternatives(schema, schema.anyOf, value, at, find)
  if (typeof value === 'string') checkText(schema, value, nameOf(at))
  else if (Array.isArray(value)) checkItems(schema, value, at, find)
  else if (typeof value === 'object' && value !== null) {
    const fields = fieldsOf(value, nameOf(at))
    checkFields(schema, fields, at, find)
    const resource = schema['x-resource']
    if (typeof resource === 'string') checkFields(formOf(resource), fields, at, findInApi)
  }
}

function checkItems(schema: Schema, values: readonly unknown[], at: string, find: Find): void {
  const { items = {}, maxItems: limit } = schema
  // Check the length first, because the list may contain many items.
  if (typeof limit === 'number' && values.length > limit) {
    throw new ControlInputError(`${nameOf(at)} ${validationMessage(faultOf('maxItems', schema, { limit }))}`)
  }
  for (const [index, one] of values.entries()) checkValue(items, one, `${at}[${index}]`, find)
}

/**
 * Validates a value against several alternatives. If the value's discriminator selects an alternative, the value must
 * match the selected alternative. Otherwise, the value must match one of the alternatives without a discriminator
 * value.
 */
function checkAlternatives(
  { discriminator }: Schema,
  anyOf: readonly Schema[],
  value: unknown,
  at: string,
  find: Find,
): void {
  const { propertyName = '', mapping = {} } = discriminator ?? {}
  const name = typeof value === 'object' && value !== null ? Reflect.get(value, propertyName) : undefined
  const chosen = typeof name === 'string' && Object.hasOwn(mapping, name) ? mapping[name] : undefined
  const named = Object.values(mapping)
  const fitting = anyOf.filter(({ $ref = '' }) =>
    chosen === undefined ? !named.includes($ref) : $ref === chosen,
  )
  if (fitting.length === 0) {
    throw new ControlInputError(
      `'${fieldOf(at, propertyName)}' must be one of ${Object.keys(mapping).join(', ')}`,
    )
  }
  checkBestMatch(fitting, value, at, find)
}

/**
 * Checks that a value matches one of the alternatives. If the value matches none of the alternatives, throws the error
 * from the first alternative with the value's type.
 */
function checkBestMatch(anyOf: readonly Schema[], value: unknown, at: string, find: Find): void {
  const ofType = anyOf.filter((part) => isOfType(resolvedSchema(part, find), value))
  if (ofType.length === 0) {
    const words = anyOf.map((part) => expected(resolvedSchema(part, find)))
    throw new ControlInputError(`${nameOf(at)} must be ${words.join(' or ')}`)
  }
  const refusals: ControlInputError[] = []
  for (const part of ofType) {
    try {
      checkValue(part, value, at, find)
      return
    } catch (error) {
      if (!(error instanceof ControlInputError)) throw error
      refusals.push(error)
    }
  }
  const [first] = refusals
  if (first) throw first
}

/** Finds the target of a reference in the API's OpenAPI document, which contains the resource schemas. */
const findInApi: Find = (reference) =>
  finderIn(fieldsOf(documentOf(newestVersion), 'The document'))(reference)

const forms = new Map<string, Schema>()

/** Returns the schema for a resource in a seed, in which all properties are optional. */
function formOf(resource: string): Schema {
  const known = forms.get(resource)
  if (known) return known
  const form = { ...resolvedSchema({ $ref: `#/components/schemas/${resource}` }, findInApi), required: [] }
  forms.set(resource, form)
  return form
}

const nameOf = (at: string): string => (at === '' ? 'The body' : `'${at}'`)

const fieldOf = (at: string, name: string): string => `${at === '' ? '' : `${at}.`}${name.slice(0, 100)}`

function checkFields(schema: Schema, fields: Fields, at: string, find: Find): void {
  const { properties = {}, required = [], dependentRequired = {}, additionalProperties } = schema
  const { unevaluatedProperties } = schema
  const isOfLifecycles = schema['x-lifecycles'] === true
  for (const [name, field] of Object.entries(fields)) {
    if (isOfLifecycles && !lifecycles.includes(name)) throw new ControlInputError(noModeMessage(name))
    const own = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
    if (typeof own === 'object') checkValue(own, field, fieldOf(at, name), find)
    else if (own === false || unevaluatedProperties === false) {
      throw new ControlInputError(unknownField(nameOf(at), name, Object.keys(properties)))
    }
  }
  const missing = required.find((name) => !Object.hasOwn(fields, name))
  if (missing !== undefined) throw new ControlInputError(`'${fieldOf(at, missing)}' is required`)
  for (const [name, companions] of Object.entries(dependentRequired))
    for (const companion of companions)
      if (Object.hasOwn(fields, name) && !Object.hasOwn(fields, companion))
        throw new ControlInputError(
          `'${fieldOf(at, companion)}' is required when '${fieldOf(at, name)}' is set`,
        )
}

function unknownField(what: string, name: string, known: readonly string[]): string {
  return `${what} has an unknown field '${name.slice(0, 100)}'. Allowed fields: ${known.join(', ') || 'none'}`
}

/** The lifecycles with a configurable transition mode. The specification defines which lifecycles depend on time. */
const lifecycles: readonly string[] = [...machinesWithModes, '*']

function checkText(schema: Schema, value: string, what: string): void {
  const { minLength, maxLength, format, pattern } = schema
  if (typeof minLength === 'number' && minLength > 0 && value === '') {
    throw new ControlInputError(`${what} must not be empty`)
  }
  if (typeof maxLength === 'number' && [...value].length > maxLength) {
    throw new ControlInputError(`${what} must be at most ${maxLength} characters long`)
  }
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value)) {
    throw new ControlInputError(`${what} ${validationMessage(faultOf('pattern', schema))}`)
  }
  if (format === 'date-time' && !isDateTime(value)) throw dateTimeError(what)
}

/** Describes a schema violation in the same words as the API's errors. */
const faultOf = (keyword: string, parentSchema: Schema, params = {}) => ({
  keyword,
  instancePath: '',
  schemaPath: '',
  params,
  parentSchema,
})

function isOfType(schema: Schema, value: unknown): boolean {
  const types = typesOf(schema)
  const fits = types.length === 0 || types.some((type) => kinds[type]?.(value))
  return fits && (!schema.enum || schema.enum.some((one) => one === value)) && isWithin(schema, value)
}

function isWithin({ minimum, exclusiveMinimum, maximum }: Schema, value: unknown): boolean {
  if (typeof value !== 'number') return true
  if (typeof minimum === 'number' && value < minimum) return false
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) return false
  return typeof maximum !== 'number' || value <= maximum
}

const typesOf = ({ type = [] }: Schema): readonly string[] => [type].flat()

const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
}

/** Describes the values that a schema allows, for error messages. */
function expected(schema: Schema): string {
  if (schema.enum) return `one of ${schema.enum.join(', ')}`
  const types = typesOf(schema)
  const words = types.map((type) => typeNames[type] ?? type).join(' or ')
  return types.length === 1 ? `${words}${rangeOf(schema)}` : words
}

function rangeOf({ minimum, exclusiveMinimum, maximum }: Schema): string {
  const most = typeof maximum === 'number' ? maximum : undefined
  if (typeof exclusiveMinimum === 'number') {
    return ` greater than ${exclusiveMinimum}${most === undefined ? '' : ` and at most ${most}`}`
  }
  if (typeof minimum !== 'number') return ''
  return most === undefined ? ` from ${minimum}` : ` from ${minimum} to ${most}`
}

const resolved = new WeakMap<Schema, Schema>()

/**
 * Resolves a schema's references and merges its parts. The result is cached, because many values in a seed have the
 * same schema.
 */
function resolvedSchema(schema: Schema, find: Find): Schema {
  const whole = resolved.get(schema) ?? resolveSchema(schema, find)
  resolved.set(schema, whole)
  return whole
}

function resolveSchema(schema: Schema, find: Find): Schema {
  const { $ref, allOf = [], oneOf = [], anyOf = oneOf, ...own } = schema
  const parts = [...($ref === undefined ? [] : [find($ref)]), ...allOf].map((part) =>
    resolvedSchema(part, find),
  )
  // Merge the enumerations of all alternatives.
  const lists = anyOf.map((part) => resolvedSchema(part, find).enum)
  const words = lists.every((list) => list !== undefined) ? lists.flat() : []
  // If the pattern comes from a referenced schema, use the description in that schema instead of the description of the
  // reference.
  const form = own.pattern === undefined ? parts.find(({ pattern }) => pattern !== undefined) : undefined
  return Object.assign(
    {},
    ...parts,
    own,
    words.length > 0 ? { enum: words } : {},
    words.length === 0 && anyOf.length > 0 ? { anyOf } : {},
    form ? { description: form.description } : {},
    {
      properties: Object.assign({}, ...parts.map((part) => part.properties), own.properties),
      required: [...parts.flatMap((part) => part.required ?? []), ...(own.required ?? [])],
    },
  )
}

import { createRequire } from 'node:module'
import {
  bodyOf,
  ignoredPartsOf,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type RemoveIgnoredParts,
  type Schema,
} from '@svc-admin/spec'
import type { OperationRow, Version } from '@svc-admin/types'
import type { Ajv2020, ErrorObject } from 'ajv/dist/2020.js'
import { documentOf } from '../specification/documents.ts'

/** A compiled schema that validates input. */
export interface InputSchema {
  isValid(value: unknown): boolean
  /** Returns all errors in a value, or only the first error if the value is large. */
  errorsOf(value: unknown): readonly ErrorObject[]
}

/** The schemas for an operation's input in a given version. */
export interface InputSchemas {
  readonly path: InputSchema
  readonly query: InputSchema
  /** The JSON type of each query parameter. */
  readonly queryTypes: ReadonlyMap<string, string>
  readonly body: InputSchema | undefined
  /** Removes the parts of a body that the operation ignores. Call this function before you validate the body. */
  readonly removeIgnored: RemoveIgnoredParts
  readonly bodyRequired: boolean
}

const require = createRequire(import.meta.url)

interface LoadedDocument {
  readonly document: OpenApiDocument
  readonly ajv: Ajv2020
}

/**
 * The loaded documents, keyed by version. Validators in `first` stop at the first error, whereas validators in `all`
 * collect all errors.
 */
const loadedDocuments = { first: new Map<Version, LoadedDocument>(), all: new Map<Version, LoadedDocument>() }
type ErrorMode = keyof typeof loadedDocuments
const inputs = new Map<Version, Map<string, InputSchemas>>()

/**
 * Returns the schemas for an operation's input in a version. Compiling all schemas in a document takes seconds, so each
 * schema is compiled on first use and shared by all servers in the process.
 */
export function inputSchemas(row: OperationRow, version: Version): InputSchemas {
  const ofVersion = inputs.get(version) ?? new Map<string, InputSchemas>()
  const known = ofVersion.get(row.id)
  if (known) return known
  const compiled = compileInput(version, row)
  inputs.set(version, ofVersion.set(row.id, compiled))
  return compiled
}

function load(version: Version, mode: ErrorMode): LoadedDocument {
  const known = loadedDocuments[mode].get(version)
  if (known) return known
  const document = documentOf(version)
  // Load Ajv only when a schema is needed, because loading its hundred files would slow down the start.
  const { Ajv2020 }: typeof import('ajv/dist/2020.js') = require('ajv/dist/2020.js')
  const addFormats: typeof import('ajv-formats') = require('ajv-formats')
  const ajv = new Ajv2020({
    strict: false,
    allErrors: mode === 'all',
    // This option adds the schema to each error, because error messages include the schema's description and examples.
    verbose: true,
    validateFormats: true,
    logger: false,
    // The schemas are validated during the build, and validating them here would take as long as compiling them.
    meta: false,
    validateSchema: false,
  })
  // The schemas don't use `unevaluatedProperties`, so disable this option.
  // Otherwise, Ajv would track evaluated properties and try every alternative.
  ajv.opts.unevaluated = false
  addFormats.default(ajv)
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    ajv.addSchema(forAjv(schema), componentId(name))
  }
  const loaded = { document, ajv }
  loadedDocuments[mode].set(version, loaded)
  return loaded
}

function compileInput(version: Version, row: OperationRow): InputSchemas {
  const { document } = load(version, 'first')
  const { operation, parameters } = find(document, row)
  const pathParameters = parameters.filter((parameter) => parameter.in === 'path')
  const queryParameters = parameters.filter((parameter) => parameter.in === 'query')
  const [, media] = bodyOf(operation.requestBody?.content) ?? []
  return {
    path: inputSchema(version, objectOf(pathParameters)),
    query: inputSchema(version, objectOf(queryParameters)),
    queryTypes: new Map(queryParameters.map(({ name, schema }) => [name, typeOf(document, schema)])),
    body: media && inputSchema(version, forAjv(media.schema)),
    removeIgnored: ignoredPartsOf(document, operation),
    bodyRequired: operation.requestBody?.required === true,
  }
}

/**
 * Validates a value with two compiled schemas. Only the second schema collects all errors. It is used only if the value
 * is invalid and small. Ajv copies the collected errors for each array item, so collecting all errors in a 32-kilobyte
 * body could block the process for half a minute.
 */
function inputSchema(version: Version, schema: Schema): InputSchema {
  const validate = load(version, 'first').ajv.compile(schema)
  const validateAll = once(() => load(version, 'all').ajv.compile(schema))
  return {
    isValid: (value) => validate(value),
    errorsOf: (value) => {
      const chosen = isLarge(value) ? validate : validateAll()
      chosen(value)
      return chosen.errors ?? []
    },
  }
}

function once<T>(create: () => T): () => T {
  let result: { readonly value: T } | undefined
  return () => {
    result ??= { value: create() }
    return result.value
  }
}

/**
 * The maximum number of nested values in a value for which all errors are reported. For larger values, only the first
 * error is reported.
 */
const smallValueLimit = 500

function isLarge(value: unknown): boolean {
  const pending = [value]
  // The loop also visits the values that it adds to the list.
  for (const one of pending) {
    if (typeof one === 'object' && one !== null) {
      for (const name in one) if (pending.push(Reflect.get(one, name)) > smallValueLimit) return true
    }
  }
  return false
}

function find(
  document: OpenApiDocument,
  row: OperationRow,
): { operation: Operation; parameters: Parameter[] } {
  const item = document.paths[row.path]
  const operation = item?.[lowerMethods[row.method]]
  if (!item || !operation) throw new Error(`${document.info.version} has no ${row.method} ${row.path}`)
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
  return { operation, parameters: parameters.map((parameter) => dereference(document, parameter)) }
}

const lowerMethods = { GET: 'get', PUT: 'put', POST: 'post', DELETE: 'delete', PATCH: 'patch' } as const

function dereference(document: OpenApiDocument, parameter: Parameter | { $ref: string }): Parameter {
  if (!('$ref' in parameter)) return parameter
  const found = document.components.parameters[parameter.$ref.split('/').at(-1) ?? '']
  if (!found) throw new Error(`${document.info.version} has no ${parameter.$ref}`)
  return found
}

function typeOf(document: OpenApiDocument, schema: Schema): string {
  if (typeof schema.type === 'string') return schema.type
  const target = document.components.schemas[schema.$ref?.split('/').at(-1) ?? '']
  return target ? typeOf(document, target) : 'string'
}

function objectOf(parameters: readonly Parameter[]): Schema {
  return {
    type: 'object',
    additionalProperties: false,
    required: parameters.filter((one) => one.required).map((one) => one.name),
    properties: Object.fromEntries(parameters.map((one) => [one.name, forAjv(one.schema)])),
  }
}

const componentId = (name: string): string => `component:${name}`

/**
 * Adapts a schema for Ajv. Each component gets an ID, which lets Ajv compile only the components in use. If a
 * discriminator has a known value, only the matching alternative is validated. Otherwise, an alternative that accepts
 * any discriminator value would hide errors in the other alternatives.
 */
function forAjv(schema: Schema): Schema {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => {
      if (key === '$ref' && typeof value === 'string') return componentId(value.split('/').at(-1) ?? '')
      if (isDateTime(value)) return { ...value, allOf: [iso8601] }
      if (isClosedChoice(value)) return closedChoice(value)
      return isDiscriminated(value) ? openChoice(value) : value
    }),
  )
}

/**
 * A stricter `date-time` format. Ajv's own format also accepts a space instead of `T` and offsets without a colon,
 * which ISO 8601 doesn't allow.
 */
const iso8601 = {
  description: 'An ISO 8601 timestamp with an offset',
  pattern: '^[0-9-]+[Tt][0-9:.]+([Zz]|[+-][0-9]{2}:[0-9]{2})$',
  examples: ['2026-03-01T12:00:00Z'],
}

function isDateTime(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && 'format' in value && value.format === 'date-time'
}

interface Discriminated extends Schema {
  discriminator: { propertyName: string; mapping: Record<string, string> }
}

/** Returns whether a value is a choice in which every alternative has a known discriminator value. */
function isClosedChoice(value: unknown): value is Discriminated {
  if (typeof value !== 'object' || value === null) return false
  return 'discriminator' in value && 'oneOf' in value
}

/**
 * Validates only the alternative that the discriminator selects, because `oneOf` would report errors for all
 * alternatives.
 */
function closedChoice({ discriminator, oneOf: _, ...schema }: Discriminated): Schema {
  const { propertyName, mapping } = discriminator
  return {
    ...schema,
    type: 'object',
    required: [propertyName],
    properties: { [propertyName]: { enum: Object.keys(mapping) } },
    allOf: casesOf(discriminator),
  }
}

function casesOf({ propertyName, mapping }: Discriminated['discriminator']): Schema[] {
  return Object.entries(mapping).map(([name, target]) => {
    const kind = { required: [propertyName], properties: { [propertyName]: { const: name } } }
    return { anyOf: [{ not: kind }, { $ref: target }] }
  })
}

function isDiscriminated(value: unknown): value is Discriminated {
  return typeof value === 'object' && value !== null && 'discriminator' in value && 'anyOf' in value
}

function openChoice({ discriminator, ...schema }: Discriminated): Schema {
  const { propertyName, mapping } = discriminator
  const alternatives = schema.anyOf ?? []
  // If a discriminator value selects an alternative, no other alternative can match.
  const mapped = Object.keys(mapping).filter((name) =>
    alternatives.some(({ $ref }) => $ref === mapping[name]),
  )
  // The enumeration can have additional values, but all of them must be strings.
  const kind = { type: 'string', enum: mapped }
  const known = { required: [propertyName], properties: { [propertyName]: kind } }
  const cases = casesOf(discriminator)
  return { ...schema, anyOf: [known, ...alternatives], allOf: [...(schema.allOf ?? []), ...cases] }
}

import { createRequire } from 'node:module'
import type { OpenApiDocument, Operation, Parameter, Schema } from '@svc-admin/spec'
import type { OperationRow, Version } from '@svc-admin/types'
import type { Ajv2020, ErrorObject } from 'ajv/dist/2020.js'
import { documentOf } from '../specification/documents.ts'

/** A schema that input is checked against. */
export interface InputSchema {
  fits(value: unknown): boolean
  /** Why a value does not fit: each of its faults, or of a large one the first. */
  errorsOf(value: unknown): readonly ErrorObject[]
}

/** What the document of a version says about an operation's input, ready to be checked. */
export interface InputSchemas {
  readonly path: InputSchema
  readonly query: InputSchema
  /** JSON type of each query parameter. */
  readonly queryTypes: ReadonlyMap<string, string>
  readonly body: InputSchema | undefined
  readonly bodyRequired: boolean
}

const require = createRequire(import.meta.url)

interface LoadedDocument {
  readonly document: OpenApiDocument
  readonly ajv: Ajv2020
}

/** Those that stop at the first fault, and those that look for all. */
const loadedDocuments = { first: new Map<Version, LoadedDocument>(), all: new Map<Version, LoadedDocument>() }
type ErrorMode = keyof typeof loadedDocuments
const inputs = new Map<Version, Map<string, InputSchemas>>()

/**
 * The input schemas of an operation in a version, compiled on first use: a document compiled as a whole would
 * delay the first answer by seconds. Shared by every server of the process.
 */
export function inputSchemas(row: OperationRow, version: Version): InputSchemas {
  const ofVersion = inputs.get(version) ?? new Map<string, InputSchemas>()
  const known = ofVersion.get(row.id)
  if (known) return known
  const compiled = compileInput(version, row)
  inputs.set(version, ofVersion.set(row.id, compiled))
  return compiled
}

function load(version: Version, faults: ErrorMode): LoadedDocument {
  const known = loadedDocuments[faults].get(version)
  if (known) return known
  const document = documentOf(version)
  // Read where the first schema is compiled: to start without its hundred files is quicker.
  const { Ajv2020 }: typeof import('ajv/dist/2020.js') = require('ajv/dist/2020.js')
  const addFormats: typeof import('ajv-formats') = require('ajv-formats')
  const ajv = new Ajv2020({
    strict: false,
    allErrors: faults === 'all',
    // A refusal says in the words of the schema what that asks for.
    verbose: true,
    validateFormats: true,
    logger: false,
    // The build of the specification has checked the schemas: to do it again takes as long as compiling them.
    meta: false,
    validateSchema: false,
  })
  // No schema of ours asks which members others have looked at; to keep account of it, Ajv tries every alternative.
  ajv.opts.unevaluated = false
  addFormats.default(ajv)
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    ajv.addSchema(forAjv(schema), componentId(name))
  }
  const loaded = { document, ajv }
  loadedDocuments[faults].set(version, loaded)
  return loaded
}

function compileInput(version: Version, row: OperationRow): InputSchemas {
  const { document } = load(version, 'first')
  const { operation, parameters } = find(document, row)
  const pathParameters = parameters.filter((parameter) => parameter.in === 'path')
  const queryParameters = parameters.filter((parameter) => parameter.in === 'query')
  const media = Object.values(operation.requestBody?.content ?? {})[0]
  return {
    path: inputSchema(version, objectOf(pathParameters)),
    query: inputSchema(version, objectOf(queryParameters)),
    queryTypes: new Map(queryParameters.map(({ name, schema }) => [name, typeOf(document, schema)])),
    body: media && inputSchema(version, forAjv(media.schema)),
    bodyRequired: operation.requestBody?.required === true,
  }
}

/**
 * Looks for all faults only where there are some, and in nothing large: to gather the faults of many items, Ajv copies
 * those it has found for each, so that a body of 32 kilobytes would keep everybody waiting for half a minute.
 */
function inputSchema(version: Version, schema: Schema): InputSchema {
  const validate = load(version, 'first').ajv.compile(schema)
  const thorough = once(() => load(version, 'all').ajv.compile(schema))
  return {
    fits: (value) => validate(value),
    errorsOf: (value) => {
      const looking = isLarge(value) ? validate : thorough()
      looking(value)
      return looking.errors ?? []
    },
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Values in a value, its own included, up to which all of its faults are named. */
const largest = 500

function isLarge(value: unknown): boolean {
  const within = [value]
  // A list that grows while it is walked.
  for (const one of within) {
    if (typeof one === 'object' && one !== null) {
      for (const name in one) if (within.push(Reflect.get(one, name)) > largest) return true
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
 * The schema as Ajv reads it: components by id, so that only what is used is compiled, and a known discriminator
 * value decides which alternative holds, so that an open last alternative does not excuse the others' faults.
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

/** Ajv takes for a moment what ISO 8601 does not: a space for the `T`, and an offset without its colon. */
const iso8601 = {
  description: 'A moment of ISO 8601 with its offset',
  pattern: '^[0-9-]+[Tt][0-9:.]+([Zz]|[+-][0-9]{2}:[0-9]{2})$',
  examples: ['2026-03-01T12:00:00Z'],
}

function isDateTime(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && 'format' in value && value.format === 'date-time'
}

interface Discriminated extends Schema {
  discriminator: { propertyName: string; mapping: Record<string, string> }
}

/** A choice among alternatives each of which is the case of a known discriminator value. */
function isClosedChoice(value: unknown): value is Discriminated {
  if (typeof value !== 'object' || value === null) return false
  return 'discriminator' in value && 'oneOf' in value
}

/** The value decides which alternative holds: `oneOf` would tell the faults of all of them. */
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
  // Where the case of a value is one of the alternatives, none of the others needs to be tried.
  const settled = Object.keys(mapping).filter((name) =>
    alternatives.some(({ $ref }) => $ref === mapping[name]),
  )
  // Open as the list is, what is no text is not at fault for being none of it.
  const kind = { type: 'string', enum: settled }
  const known = { required: [propertyName], properties: { [propertyName]: kind } }
  const cases = casesOf(discriminator)
  return { ...schema, anyOf: [known, ...alternatives], allOf: [...(schema.allOf ?? []), ...cases] }
}

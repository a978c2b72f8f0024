import { ignoredPartsOf, loadDocument, type Parameter, type Schema } from '@svc-admin/spec'
import { type OperationRow, versions } from '@svc-admin/types'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { Problem } from './problem.ts'

// Parameters and bodies are validated with the schemas in the documents.

const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, validateFormats: true })
formats.default(ajv)

const documents = new Map(versions.map(({ id }) => [id as string, loadDocument(id)]))
for (const [id, document] of documents) ajv.addSchema(document, `document:${id}`)

const documentOf = (version: string) => {
  const document = documents.get(version)
  if (!document) throw new Error(`No document found for version ${version}.`)
  return document
}

const escaped = (segment: string): string => segment.replaceAll('~', '~0').replaceAll('/', '~1')
const pointer = (...segments: string[]): string => segments.map((segment) => `/${escaped(segment)}`).join('')

const compiled = new Map<string, ValidateFunction>()
const compile = (version: string, place: string): ValidateFunction => {
  const $ref = `document:${version}#${encodeURI(place)}`
  const known = compiled.get($ref)
  if (known) return known
  const validate = ajv.compile({ $ref })
  compiled.set($ref, validate)
  return validate
}

type Method = 'get' | 'put' | 'post' | 'delete' | 'patch'
const methodOf = ({ method }: OperationRow) => method.toLowerCase() as Method

/** An operation parameter and the JSON Pointer to its schema. */
interface Found {
  readonly parameter: Parameter
  readonly place: string
}

const listed = new Map<string, readonly Found[]>()

const parametersOf = (operation: OperationRow, version: string): readonly Found[] => {
  const key = `${operation.id}@${version}`
  const found = listed.get(key) ?? findParameters(operation, version)
  listed.set(key, found)
  return found
}

const findParameters = (operation: OperationRow, version: string): Found[] => {
  const { paths, components } = documentOf(version)
  const item = paths[operation.path]
  const lists = [
    { parameters: item?.parameters, at: pointer('paths', operation.path, 'parameters') },
    {
      parameters: item?.[methodOf(operation)]?.parameters,
      at: pointer('paths', operation.path, methodOf(operation), 'parameters'),
    },
  ]
  return lists.flatMap(({ parameters = [], at }) =>
    parameters.map((parameter, index) => {
      const name = (parameter as { $ref?: string }).$ref?.split('/').at(-1)
      const shared = name === undefined ? undefined : components.parameters[name]
      if (name !== undefined && shared)
        return { parameter: shared, place: pointer('components', 'parameters', name, 'schema') }
      return { parameter, place: `${at}/${index}/schema` }
    }),
  )
}

const resolvedSchema = (schema: Schema, version: string): Schema => {
  const name = schema.$ref?.split('/').at(-1)
  return (name === undefined ? undefined : documentOf(version).components.schemas[name]) ?? schema
}

/** Converts a path or query value to the type that its schema requires, if possible. */
const typed = (text: string, schema: Schema): unknown => {
  if (schema.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  if (schema.type === 'integer' && /^-?(0|[1-9]\d*)$/.test(text)) return Number(text)
  return text
}

/** Summarizes validation errors as one message and a list of locations. */
const describeErrors = (errors: readonly ErrorObject[]): { detail: string; places: string[] } => {
  const places = errors.map(({ instancePath, params }) => {
    const field: unknown = params.missingProperty ?? params.additionalProperty
    return typeof field === 'string' ? `${instancePath}${pointer(field)}` : instancePath
  })
  const [first] = errors
  return {
    detail: `${first?.instancePath || 'the body'} ${first?.message ?? 'is not valid'}`,
    places: [...new Set(places)],
  }
}

/** @throws Problem 400 with the names of the invalid parameters. */
export const checkPath = (
  operation: OperationRow,
  version: string,
  path: Readonly<Record<string, string>>,
): void => {
  const wrong = parametersOf(operation, version)
    .filter(({ parameter }) => parameter.in === 'path')
    .filter(({ parameter, place }) => !compile(version, place)(path[parameter.name]))
    .map(({ parameter }) => parameter.name)
  if (wrong.length > 0)
    throw new Problem('VALIDATION_ERROR', `Invalid path parameter: ${wrong.join(', ')}.`, {
      parameters: wrong,
    })
}

export type Query = Readonly<Record<string, unknown>>

/** Returns the query parameters, including defaults, and the names of invalid parameters. */
export const parseQuery = (
  operation: OperationRow,
  version: string,
  query: URLSearchParams,
): { values: Query; wrong: ReadonlySet<string> } => {
  const known = parametersOf(operation, version).filter(({ parameter }) => parameter.in === 'query')
  const values: Record<string, unknown> = {}
  const wrong = new Set(
    [...query.keys()].filter((name) => !known.some(({ parameter }) => parameter.name === name)),
  )
  for (const { parameter, place } of known) {
    const { name } = parameter
    const texts = query.getAll(name)
    const schema = resolvedSchema(parameter.schema, version)
    const [text] = texts
    if (text === undefined) values[name] = schema.default
    else {
      values[name] = typed(text, schema)
      if (texts.length > 1 || !compile(version, place)(values[name])) wrong.add(name)
    }
  }
  return { values, wrong }
}

/** Returns the query parameters, including defaults. @throws Problem 400 with the names of the invalid parameters. */
export const readQuery = (operation: OperationRow, version: string, query: URLSearchParams): Query => {
  const { values, wrong } = parseQuery(operation, version, query)
  if (wrong.size === 0) return values
  throw new Problem('VALIDATION_ERROR', `Invalid or unknown query parameter: ${[...wrong].join(', ')}.`, {
    parameters: [...wrong],
  })
}

/**
 * Removes the parts of the body that the operation ignores: read-only fields and `null` in optional fields.
 *
 * @throws Problem 400 with JSON Pointers to the invalid values.
 */
export const checkBody = (operation: OperationRow, version: string, body: unknown): void => {
  const document = documentOf(version)
  const documented = document.paths[operation.path]?.[methodOf(operation)]
  if (documented) ignoredPartsOf(document, documented)(body)
  const [mediaType = ''] = Object.keys(documented?.requestBody?.content ?? {})
  const place = pointer(
    ...['paths', operation.path, methodOf(operation), 'requestBody', 'content', mediaType, 'schema'],
  )
  const validate = compile(version, place)
  if (validate(body)) return
  const { detail, places } = describeErrors(validate.errors ?? [])
  throw new Problem('VALIDATION_ERROR', `The body does not match its schema: ${detail}.`, {
    parameters: places.slice(0, 20),
  })
}

/** The write-only fields of all notification types. */
export const secretFields: ReadonlySet<string> = new Set(
  [...documents.values()].flatMap(({ components }) =>
    Object.entries(components.schemas)
      .filter(([name]) => name.endsWith('Notification'))
      .flatMap(([, schema]) => Object.entries(schema.properties ?? {}))
      .filter(([, schema]) => schema.writeOnly === true)
      .map(([name]) => name),
  ),
)

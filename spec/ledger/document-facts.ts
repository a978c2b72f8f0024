import { operationsOf } from '../build/walk.ts'
import { bodyOf } from '../src/body.ts'
import type {
  HttpMethod,
  JsonObject,
  OpenApiDocument,
  Operation,
  Parameter,
  PathItem,
  Response,
} from '../src/model.ts'
import type { FactTable } from './model.ts'
import { schemaFacts, schemaView } from './schema-facts.ts'

/** Extracts all facts from a document: operations, parameters, roles, bodies, responses, schemas and fields. */
export function documentFacts(document: OpenApiDocument): FactTable {
  const table: FactTable = new Map(schemaFacts(document))
  for (const { operation, ...location } of operationsOf(document))
    for (const [fact, view] of operationFacts(document, operation, location)) table.set(fact, view)
  for (const [name, scheme] of Object.entries(document.components.securitySchemes))
    table.set(`security:${name}`, scheme)
  return table
}

interface OperationLocation {
  path: string
  method: HttpMethod
  item: PathItem
}

function* operationFacts(
  document: OpenApiDocument,
  operation: Operation,
  { path, method, item }: OperationLocation,
): Generator<[string, JsonObject]> {
  const id = operation.operationId
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((each) =>
    parameterOf(document, each),
  )
  yield [
    `operation:${id}`,
    {
      method: method.toUpperCase(),
      path,
      deprecated: operation.deprecated ?? false,
      paged: operation['x-paged'] ?? false,
      pathParameters: parameters.filter((each) => each.in === 'path').map(({ name }) => name),
      query: parameters.filter((each) => each.in === 'query').map(({ name }) => name),
      body: operation.requestBody ? contentView(document, operation.requestBody) : null,
      statuses: Object.keys(operation.responses),
      errors: operation['x-errors'] ?? [],
      deprecatedSince: operation['x-deprecation']?.date ?? null,
      sunset: operation['x-deprecation']?.sunset ?? null,
      successor: operation['x-deprecation']?.successor ?? null,
      tag: operation.tags[0] ?? null,
      strength: operation['x-strength'],
    },
  ]
  if (operation['x-roles']) yield [`role:${id}`, { roles: operation['x-roles'] }]
  for (const parameter of parameters)
    yield [`parameter:${id}.${parameter.name}`, parameterView(document, parameter)]
  if (operation.requestBody)
    yield [
      `body:${id}`,
      { required: operation.requestBody.required ?? false, ...contentView(document, operation.requestBody) },
    ]
  yield [`response:${id}`, responseView(document, operation)]
}

function parameterOf(document: OpenApiDocument, parameter: Parameter): Parameter {
  const name = parameter.$ref?.split('/').at(-1)
  return (name && document.components.parameters[name]) || parameter
}

function parameterView(document: OpenApiDocument, { in: location, required, schema }: Parameter): JsonObject {
  return { ...schemaView(document, schema), in: location, required: required ?? false }
}

function responseView(document: OpenApiDocument, operation: Operation): JsonObject {
  const found = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))
  if (!found) return {}
  const [status, response] = found
  return { status: Number(status), ...contentView(document, response) }
}

function contentView(document: OpenApiDocument, { content }: Pick<Response, 'content'>): JsonObject {
  const [mediaType] = Object.keys(content ?? {})
  const [, body] = bodyOf(content) ?? []
  if (!mediaType) return { schema: null }
  if (!body) return { mediaType, schema: null }
  const { ref, type, items } = schemaView(document, body.schema)
  return { mediaType, schema: ref ?? null, ...(type ? { type } : {}), ...(items ? { items } : {}) }
}

import type {
  Facts,
  OpenApiDocument,
  Operation,
  Parameter,
  PathItem,
  Requirement,
  VersionFact,
} from '@svc-admin/spec'
import { bodyOf, methods } from '@svc-admin/spec'

/** An operation in a specific version. */
export interface OperationVersion {
  success: number
  mediaType: string
  requestMediaType?: string
  hasBody: boolean
  hasContent: boolean
  roles: string[]
  errors: string[]
  deprecation?: { date: string; sunset?: string; successor?: string }
}

export interface OperationRow {
  id: string
  area: string
  summary: string
  method: string
  path: string
  absolute: boolean
  pathParameters: string[]
  queryParameters: string[]
  paged: boolean
  envelope: boolean
  pretty: boolean
  idempotent: boolean
  security: 'api' | 'client-credentials'
  strength: string
  source: string
  versions: Record<string, OperationVersion>
}

export type Documents = Map<string, OpenApiDocument>

const idempotentMethods = new Set(['get', 'put', 'delete'])

/** Combines the documents of all versions into a table with one row per operation. */
export function operationTable(documents: Documents, facts: Facts): Record<string, OperationRow> {
  const rows: Record<string, OperationRow> = {}
  for (const version of facts.versions) {
    const document = documents.get(version.id)
    if (!document) throw new Error(`No document found for version ${version.id}.`)
    for (const [path, item] of Object.entries(document.paths))
      for (const method of methods) {
        const operation = item[method]
        if (!operation) continue
        const id = operation.operationId
        rows[id] ??= newRow(operation, method, path, item, document, facts)
        const owner = owningVersion(operation, version, facts, rows[id])
        rows[id].versions[owner] ??= operationVersion(operation, version, facts)
      }
  }
  return Object.fromEntries(Object.entries(rows).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function newRow(
  operation: Operation,
  method: string,
  path: string,
  item: PathItem,
  document: OpenApiDocument,
  facts: Facts,
): OperationRow {
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((parameter) =>
    resolveParameter(parameter, document),
  )
  const named = (place: string) =>
    parameters.filter((parameter) => parameter.in === place).map(({ name }) => name)
  const query = named('query')
  return {
    id: operation.operationId,
    area: operation.tags[0] ?? '',
    summary: operation.summary,
    method: method.toUpperCase(),
    path,
    absolute: path === facts.tokenEndpoint.path,
    pathParameters: named('path'),
    queryParameters: query,
    paged: operation['x-paged'] ?? false,
    envelope: query.includes('envelope'),
    pretty: query.includes('pretty'),
    idempotent: operation['x-idempotent'] ?? idempotentMethods.has(method),
    security: operation['x-roles'] ? 'api' : 'client-credentials',
    strength: operation['x-strength'],
    source: operation['x-source'],
    versions: {},
  }
}

function resolveParameter(parameter: Parameter, document: OpenApiDocument): Parameter {
  if (!parameter.$ref) return parameter
  const found = document.components.parameters[parameter.$ref.split('/').at(-1) ?? '']
  if (!found) throw new Error(`Unresolved reference ${parameter.$ref}.`)
  return found
}

function success(operation: Operation): [string, Operation['responses'][string]] {
  const found = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))
  if (!found) throw new Error(`${operation.operationId} has no success response.`)
  return found
}

/** Returns the version in which the given operation last changed. The operation's media types contain this version. */
function owningVersion(operation: Operation, version: VersionFact, facts: Facts, row: OperationRow): string {
  if (version.mediaType === 'application/json') return version.id
  const [, response] = success(operation)
  const types = [...Object.keys(response.content ?? {}), ...Object.keys(operation.requestBody?.content ?? {})]
  const owner = facts.versions.find(
    ({ mediaType }) => mediaType !== 'application/json' && types.includes(mediaType),
  )
  const earlier = Object.keys(row.versions)
    .filter((id) => id !== 'v1.0')
    .at(-1)
  return owner?.id ?? earlier ?? version.id
}

function operationVersion(operation: Operation, version: VersionFact, facts: Facts): OperationVersion {
  const [status, response] = success(operation)
  const request = Object.keys(operation.requestBody?.content ?? {})[0]
  const deprecation = operation['x-deprecation']
  return {
    success: Number(status),
    mediaType: Object.keys(response.content ?? {})[0] ?? version.mediaType,
    ...(request ? { requestMediaType: request } : {}),
    hasBody: operation.requestBody !== undefined,
    hasContent: bodyOf(response.content) !== undefined,
    roles: operation['x-roles'] ?? [],
    errors: operation['x-errors'] ?? Object.keys(facts.tokenErrors),
    ...(deprecation ? { deprecation: withoutScope(deprecation) } : {}),
  }
}

function withoutScope({ date, sunset, successor }: NonNullable<Operation['x-deprecation']>) {
  return { date, ...(sunset ? { sunset } : {}), ...(successor ? { successor } : {}) }
}

export function tables(
  documents: Documents,
  facts: Facts,
  requirements: Requirement[],
): Record<string, unknown> {
  return {
    versions: facts.versions.map(({ id, generation, mediaType, status }) => ({
      id,
      generation,
      mediaType,
      prefix: facts.generations[generation]?.prefix,
      status,
    })),
    tokenEndpoint: facts.tokenEndpoint,
    operations: operationTable(documents, facts),
    errorCodes: facts.errorCodes,
    tokenErrors: facts.tokenErrors,
    limits: facts.limits,
    roles: facts.roles,
    states: facts.states,
    eventTypes: facts.eventTypes,
    requirementIds: requirements.map(({ id }) => id),
  }
}

import type { OpenApiDocument, Schema } from '@svc-admin/spec'
import type { OperationModel } from './operation-model.ts'
import { nameOf } from './resolve.ts'

export interface Usage {
  /** The operations that use each schema, directly or indirectly. */
  readonly operations: ReadonlyMap<string, readonly string[]>
  /** The schemas that refer directly to each schema. */
  readonly schemas: ReadonlyMap<string, readonly string[]>
}

export function usageOf(document: OpenApiDocument, operations: readonly OperationModel[]): Usage {
  const direct = new Map(
    Object.entries(document.components.schemas).map(([name, schema]) => [name, referencesIn(schema)]),
  )
  const byOperation = new Map<string, string[]>()
  for (const operation of operations)
    for (const name of reachable(rootsOf(operation), direct))
      byOperation.set(name, [...(byOperation.get(name) ?? []), operation.id])
  const bySchema = new Map<string, string[]>()
  for (const [user, used] of direct)
    for (const name of used) if (name !== user) bySchema.set(name, [...(bySchema.get(name) ?? []), user])
  return { operations: byOperation, schemas: bySchema }
}

function rootsOf({ request, success, failures, parameters }: OperationModel): Set<string> {
  const schemas: (Schema | undefined)[] = [
    request?.content.schema,
    ...[...success, ...failures].map(({ body }) => body?.content.schema),
    ...parameters.map(({ schema }) => schema),
  ]
  return new Set(schemas.flatMap((schema) => (schema ? [...referencesIn(schema)] : [])))
}

function reachable(
  roots: ReadonlySet<string>,
  direct: ReadonlyMap<string, ReadonlySet<string>>,
): Set<string> {
  const found = new Set(roots)
  for (const name of found) for (const next of direct.get(name) ?? []) found.add(next)
  return found
}

/** Returns the names of all schemas that a value refers to. References in examples are ignored. */
export function referencesIn(value: unknown, found: Set<string> = new Set()): Set<string> {
  if (Array.isArray(value)) for (const each of value) referencesIn(each, found)
  else if (typeof value === 'object' && value !== null)
    for (const [key, field] of Object.entries(value)) {
      if (key === '$ref' && typeof field === 'string') found.add(nameOf(field))
      else if (key !== 'examples' && key !== 'example' && key !== 'mapping') referencesIn(field, found)
    }
  return found
}

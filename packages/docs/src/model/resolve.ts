import type { Header, OpenApiDocument, Parameter, Response, Schema } from '@svc-admin/spec'

/** Returns the last segment of a local reference. */
export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/**
 * Merges a schema with the schema that its `$ref` points to. If both have the same keyword, the keyword next to `$ref`
 * takes precedence (OpenAPI 3.1, JSON Schema 2020-12 §8.2.3.1). The decisions of both schemas apply.
 */
export function resolveSchema(document: OpenApiDocument, schema: Schema): Schema {
  if (!schema.$ref) return schema
  const known = resolved.get(schema)
  if (known) return known
  const found = follow(document, schema)
  resolved.set(schema, found)
  return found
}

/** Caches resolved references. Caching is safe because each reference object belongs to only one document. */
const resolved = new WeakMap<Schema, Schema>()

function follow(document: OpenApiDocument, schema: Schema): Schema {
  let current = schema
  for (let steps = 0; current.$ref && steps < 20; steps += 1) {
    const { $ref, ...beside } = current
    const target: Schema | undefined = document.components.schemas[nameOf($ref)]
    if (!target) throw new Error(`Unknown schema: ${$ref}`)
    const decided = { ...target['x-decided'], ...beside['x-decided'] }
    current = { ...target, ...beside, ...(Object.keys(decided).length > 0 && { 'x-decided': decided }) }
  }
  return current
}

export function resolveParameter(document: OpenApiDocument, parameter: Parameter): Parameter {
  if (!parameter.$ref) return parameter
  const target = document.components.parameters[nameOf(parameter.$ref)]
  if (!target) throw new Error(`Unknown parameter: ${parameter.$ref}`)
  return target
}

export function resolveResponse(document: OpenApiDocument, response: Response): Response {
  if (!response.$ref) return response
  const target = document.components.responses[nameOf(response.$ref)]
  if (!target) throw new Error(`Unknown response: ${response.$ref}`)
  return target
}

export function resolveHeader(document: OpenApiDocument, header: Header): Header {
  if (!header.$ref) return header
  const target = document.components.headers[nameOf(header.$ref)]
  if (!target) throw new Error(`Unknown header: ${header.$ref}`)
  return target
}

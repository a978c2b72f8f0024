import type { OpenApiDocument, Schema } from '@svc-admin/spec'
import type { OperationModel } from '../model/operation-model.ts'
import { resolveSchema } from '../model/resolve.ts'

/** Whether a part is sent by the caller or by the server, which decides what breaks whom. */
export type Side = 'request' | 'response' | 'contract'

export interface Part {
  readonly side: Side
  readonly required: boolean
  /** What callers can see of it, compared as text. */
  readonly signature: string
  readonly values: readonly string[]
}

/** What callers can see of an operation, flat: parts by where they are. */
export type Surface = ReadonlyMap<string, Part>

const deepest = 5
const constraints = [
  'format',
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'default',
  'const',
  'readOnly',
  'writeOnly',
  'deprecated',
] as const

/** Flattens an operation to its parts. Media types are left out: they name the version. */
export function surfaceOf(document: OpenApiDocument, model: OperationModel): Surface {
  const parts = new Map<string, Part>()
  const fact = (name: string, signature: string, values: readonly string[] = []) =>
    parts.set(name, { side: 'contract', required: true, signature, values })
  fact('method', model.method.toUpperCase())
  fact('path', model.path)
  fact('success status', model.success.map(({ status }) => status).join(', '))
  fact('roles', '', model.operation['x-roles'] ?? [])
  fact('errors', '', model.operation['x-errors'] ?? [])
  fact('deprecation', model.operation.deprecated || model.deprecation ? 'deprecated' : '')
  for (const { name, in: place, required = false, schema } of model.parameters) {
    const resolved = resolveSchema(document, schema)
    const part = `${place} parameter ${name}`
    parts.set(part, { ...leaf(resolved, 'request'), required })
  }
  if (model.request)
    flatten(document, model.request.content.schema, { parts, side: 'request', path: 'request body' })
  for (const { body } of model.success)
    if (body) flatten(document, body.content.schema, { parts, side: 'response', path: 'response body' })
  return parts
}

interface Walk {
  readonly parts: Map<string, Part>
  readonly side: Side
  readonly path: string
  readonly depth?: number
  readonly required?: boolean
}

function flatten(document: OpenApiDocument, schema: Schema, walk: Walk): void {
  const { parts, side, path, depth = 0, required = true } = walk
  const resolved = resolveSchema(document, schema)
  if (!parts.has(path)) parts.set(path, { ...leaf(resolved, side), required })
  if (depth >= deepest) return
  const next = { parts, side, depth: depth + 1 }
  for (const [name, member] of Object.entries(resolved.properties ?? {})) {
    const needed = resolved.required?.includes(name) ?? false
    const separator = depth === 0 || path.endsWith(' body') ? ' › ' : '.'
    flatten(document, member, { ...next, path: `${path}${separator}${name}`, required: needed })
  }
  if (resolved.items) flatten(document, resolved.items, { ...next, path: `${path}[]` })
  for (const branch of [resolved.anyOf, resolved.oneOf, resolved.allOf].flatMap((each) => each ?? []))
    flatten(document, branch, { ...next, path, depth: depth + 1 })
}

const leaves = new WeakMap<Schema, Omit<Part, 'required' | 'side'>>()

function leaf(schema: Schema, side: Side): Omit<Part, 'required'> {
  const known = leaves.get(schema) ?? signatureOf(schema)
  leaves.set(schema, known)
  return { side, ...known }
}

function signatureOf(schema: Schema): Omit<Part, 'required' | 'side'> {
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'any')
  const limits = constraints.flatMap((name) =>
    schema[name] === undefined ? [] : [`${name} ${JSON.stringify(schema[name])}`],
  )
  const closed = schema.additionalProperties === false ? ['no other members'] : []
  return {
    signature: [type, ...limits, ...closed].join(', '),
    values: [...(schema.enum ?? []).map(String), ...(schema['x-known-values'] ?? [])],
  }
}

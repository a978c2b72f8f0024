import type { Json, OpenApiDocument, Schema } from '@svc-admin/spec'
import type { FieldRow } from '../content/block.ts'
import { codeLink, link } from '../content/inline.ts'
import { constraintsOf, type Mark } from './constraints.ts'
import { nameOf, resolveSchema } from './resolve.ts'
import { addresses } from './site-model.ts'

/** How far members of members are shown in place before a link leads to the schema's own page. */
const deepest = 2

interface FieldContext {
  readonly document: OpenApiDocument
  readonly version: string
  /** Where the anchors of the rows begin. */
  readonly anchor: string
  /** Readers see what servers send, or what callers send. */
  readonly side: 'request' | 'response' | 'both'
  readonly mark: Mark
}

/** Who says that something is so, and where. */
type Standing = Pick<FieldRow, 'strength' | 'source'>

/** A member that says nothing of its own is as strong as what holds it. */
const standingOf = (schema: Schema, held: Standing): Standing =>
  schema['x-strength']
    ? {
        strength: schema['x-strength'],
        ...(schema['x-source'] && { source: schema['x-source'] }),
      }
    : held

/** The members of an object, or of the objects in an array, members of members below them. */
export function fieldRows(
  context: FieldContext,
  schema: Schema,
  depth = 0,
  above = '',
  held: Standing = {},
): FieldRow[] {
  const inner = objectIn(context.document, schema)
  const standing = standingOf(inner, held)
  return Object.entries(inner.properties ?? {}).flatMap(([name, member]) => {
    const resolved = resolveSchema(context.document, member)
    if (context.side === 'request' && resolved.readOnly) return []
    if (context.side === 'response' && resolved.writeOnly) return []
    const path = above ? `${above}.${name}` : name
    const row = fieldRow(context, {
      name,
      path,
      depth,
      member,
      required: inner.required?.includes(name) ?? false,
      decidedRequired: inner['x-decided']?.required,
      standing: standingOf(resolved, standing),
    })
    const nested =
      depth < deepest && !isLink(member, resolved)
        ? fieldRows(context, member, depth + 1, path, standingOf(resolved, standing))
        : []
    return [row, ...nested]
  })
}

/** Links are the same everywhere; their own page tells of them once. */
const isLink = (member: Schema, resolved: Schema): boolean =>
  member.$ref !== undefined && (resolved.title === 'Links' || nameOf(member.$ref) === 'Links')

function objectIn(document: OpenApiDocument, schema: Schema): Schema {
  const resolved = resolveSchema(document, schema)
  if (resolved.items) return objectIn(document, resolved.items)
  if (!resolved.allOf) return resolved
  const parts = resolved.allOf.map((each) => objectIn(document, each))
  return {
    ...resolved,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties), resolved.properties),
    required: [resolved, ...parts].flatMap(({ required }) => required ?? []),
  }
}

interface Member {
  readonly name: string
  readonly path: string
  readonly depth: number
  readonly member: Schema
  readonly required: boolean
  /** Where it was decided that it is required. */
  readonly decidedRequired: string | undefined
  readonly standing: Standing
}

function fieldRow(context: FieldContext, row: Member): FieldRow {
  const { name, path, depth, member, required, decidedRequired, standing } = row
  const { document, anchor, version, mark } = context
  const schema = resolveSchema(document, member)
  const items = schema.items && resolveSchema(document, schema.items)
  const values = valuesOf(schema).length > 0 ? schema : (items ?? schema)
  const [example] = schema.examples ?? []
  return {
    anchor: `${anchor}.${path}`,
    name,
    depth,
    required,
    ...(required && decidedRequired && { requiredMark: mark(decidedRequired) }),
    type: typeText(document, version, member),
    notes: notesOf(schema),
    description: schema.description ?? '',
    constraints: constraintsOf(schema, mark),
    values: valuesOf(values),
    valuesOpen: values.enum === undefined,
    ...(isScalar(example) && { example: JSON.stringify(example) }),
    ...standing,
  }
}

const isScalar = (value: Json | undefined): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** The values of an enumeration, closed or open. */
export function valuesOf(schema: Schema): string[] {
  return [
    ...(schema.enum ?? []).map((value) => JSON.stringify(value).replace(/^"|"$/g, '')),
    ...(schema['x-known-values'] ?? []).map(String),
  ]
}

export function notesOf(schema: Schema): string[] {
  return [
    ...(schema.readOnly ? ['read-only'] : []),
    ...(schema.writeOnly ? ['write-only'] : []),
    ...(schema['x-secret'] ? ['secret'] : []),
    ...(schema.deprecated ? ['deprecated'] : []),
  ]
}

/** The type as Markdown, with links to the schemas that it names. */
export function typeText(document: OpenApiDocument, version: string, schema: Schema): string {
  const resolved = resolveSchema(document, schema)
  const to = (label: string) =>
    schema.$ref ? link(label, addresses.schema(version, nameOf(schema.$ref))) : label
  if (resolved.type === 'array' || resolved.items) {
    const inner = resolved.items ? typeText(document, version, resolved.items) : 'any'
    return schema.$ref && !inner.includes('](') ? to(`array of ${inner}`) : `array of ${inner}`
  }
  const branches = [...(resolved.anyOf ?? []), ...(resolved.oneOf ?? [])]
  if (branches.length > 0 && schema.$ref)
    return codeLink(nameOf(schema.$ref), addresses.schema(version, nameOf(schema.$ref)))
  if (branches.length > 0) return branches.map((each) => typeText(document, version, each)).join(' or ')
  if (resolved.properties && schema.$ref)
    return codeLink(nameOf(schema.$ref), addresses.schema(version, nameOf(schema.$ref)))
  return to(scalarType(resolved))
}

function scalarType(schema: Schema): string {
  if (schema.const !== undefined) return `constant \`${String(schema.const)}\``
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'any')
  return typeof schema.format === 'string' ? `${type} (${schema.format})` : type
}

import type { OpenApiDocument, Schema } from '@svc-admin/spec'
import type { FieldRow } from '../content/block.ts'
import { code, codeLink, link } from '../content/inline.ts'
import { addresses } from './addresses.ts'
import { constraintsOf, type Mark } from './constraints.ts'
import { nameOf, resolveSchema } from './resolve.ts'

/** Pages show fields down to this depth, and link to schemas with deeper fields. */
const deepest = 2

export interface FieldContext {
  readonly document: OpenApiDocument
  readonly linkTo: LinkTo
  /** The prefix of the fields' anchors. */
  readonly anchor: string
  /** Whether to show request fields, response fields or both. */
  readonly side: 'request' | 'response' | 'both'
  readonly mark: Mark
  /** The page's example, which contains example values for the fields. */
  readonly shown?: unknown
  /** Returns whether a schema is described elsewhere. If so, the page only links to its fields. */
  readonly isApart?: (name: string) => boolean
}

/**
 * Returns the address of a schema's page, if there is one. The schema is in the same document, or in an API document
 * that another document refers to with `x-resource`.
 */
export type LinkTo = (name: string, of: 'document' | 'resource') => string | undefined

/** Returns a function that links to the schema pages of a version. */
export const pagesOf =
  (version: string): LinkTo =>
  (name) =>
    addresses.schema(version, name)

/** Where a field comes from: its strength and source. */
type Standing = Pick<FieldRow, 'strength' | 'source'>

/** Returns the strength and source of a schema or, if it has none, of its parent. */
const standingOf = (schema: Schema, held: Standing): Standing =>
  schema['x-strength']
    ? {
        strength: schema['x-strength'],
        ...(schema['x-source'] && { source: schema['x-source'] }),
      }
    : held

/** Where a nested field is located. */
interface Within {
  readonly depth: number
  /** The path from the outermost object. Empty for the outermost object's own fields. */
  readonly path: string
  readonly standing: Standing
  /** The part of the page's example that corresponds to this object. */
  readonly shown: unknown
}

/**
 * Returns the fields of an object or, for an array, of the objects in it. Each field is followed by its nested fields.
 */
export function fieldRows(
  context: FieldContext,
  schema: Schema,
  { depth, path: above, standing: held, shown }: Within = {
    depth: 0,
    path: '',
    standing: {},
    shown: context.shown,
  },
): FieldRow[] {
  const inner = objectIn(context.document, schema)
  const standing = standingOf(inner, held)
  return Object.entries(fieldsOf(inner)).flatMap(([name, field]) => {
    const resolved = resolveSchema(context.document, field)
    if (context.side === 'request' && resolved.readOnly) return []
    if (context.side === 'response' && resolved.writeOnly) return []
    const within: Within = {
      depth: depth + 1,
      path: above ? `${above}.${name}` : name,
      standing: standingOf(resolved, standing),
      shown: fieldOf(shown, name),
    }
    const row = fieldRow(context, field, within, {
      name,
      required: inner.required?.includes(name) ?? false,
      decidedRequired: inner['x-decided']?.required,
    })
    const nested =
      depth < deepest && !isLink(field, resolved) && !isApart(context, field, resolved)
        ? fieldRows(context, field, within)
        : []
    return [row, ...nested]
  })
}

/** Returns an example value for a field, either from an object or from the first list item that has the field. */
function fieldOf(value: unknown, name: string): unknown {
  const items: unknown[] = [value].flat()
  return items.map((item) => Reflect.get(Object(item), name)).find((each) => each !== undefined)
}

/** Returns the schema for each property. The name `*` stands for additional properties. */
const fieldsOf = ({ properties = {}, additionalProperties: other }: Schema): Record<string, Schema> =>
  typeof other === 'object' && other.$ref ? { ...properties, '*': other } : properties

/** Returns whether a field contains links. All links have the same fields, so only the page about links shows them. */
const isLink = (field: Schema, resolved: Schema): boolean =>
  field.$ref !== undefined && (resolved.title === 'Links' || nameOf(field.$ref) === 'Links')

const isApart = (context: FieldContext, field: Schema, { items }: Schema): boolean =>
  [field, items].some((each) => each?.$ref !== undefined && context.isApart?.(nameOf(each.$ref)))

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

interface Field {
  readonly name: string
  readonly required: boolean
  /** The decision that makes the field required. */
  readonly decidedRequired: string | undefined
}

function fieldRow(
  context: FieldContext,
  field: Schema,
  { depth, path, standing, shown }: Within,
  { name, required, decidedRequired }: Field,
): FieldRow {
  const { document, anchor, linkTo, mark } = context
  const schema = resolveSchema(document, field)
  const items = schema.items && resolveSchema(document, schema.items)
  const values = valuesOf(schema).length > 0 ? schema : (items ?? schema)
  // A page's example already contains the field's value.
  const example = shown === undefined ? schema.examples?.[0] : undefined
  return {
    anchor: `${anchor}.${path}`,
    name,
    depth: depth - 1,
    required,
    ...(required && decidedRequired && { requiredMark: mark(decidedRequired) }),
    type: typeText(document, linkTo, field),
    notes: notesOf(schema),
    description: schema.description ?? '',
    constraints: constraintsOf(schema, mark),
    ...shownValues(context, field, values),
    ...(isScalar(example) && { example: JSON.stringify(example) }),
    ...standing,
  }
}

/**
 * The maximum number of values to list with a field. If a named type has more values, only the type's own page lists
 * them.
 */
const mostValues = 12

function shownValues(
  { linkTo }: FieldContext,
  field: Schema,
  schema: Schema,
): Pick<FieldRow, 'values' | 'valuesOpen' | 'valuesAt'> {
  const values = valuesOf(schema)
  const ref = schema.$ref ?? field.$ref ?? field.items?.$ref
  const address = ref && linkTo(nameOf(ref), 'document')
  const valuesOpen = schema.enum === undefined
  if (values.length <= mostValues || !address) return { values, valuesOpen }
  return { values: [], valuesOpen, valuesAt: link(`${values.length} values`, address) }
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** Returns an enumeration's values, even if other values are allowed. */
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

/** Returns the type as Markdown, with links to its schemas. */
export function typeText(document: OpenApiDocument, linkTo: LinkTo, schema: Schema): string {
  const resolved = resolveSchema(document, schema)
  const resource = schema['x-resource']
  const name = typeof resource === 'string' ? resource : schema.$ref && nameOf(schema.$ref)
  const address = name && linkTo(name, typeof resource === 'string' ? 'resource' : 'document')
  const named = name && (address ? codeLink(name, address) : code(name))
  const to = (label: string) => (address ? link(label, address) : label)
  const hasType = resolved.type !== undefined && !resolved.items
  if (resolved.type === 'array' || resolved.items) {
    const inner = resolved.items ? typeText(document, linkTo, resolved.items) : 'any'
    return schema.$ref && !inner.includes('](') ? to(`array of ${inner}`) : `array of ${inner}`
  }
  const branches = [...(resolved.anyOf ?? []), ...(resolved.oneOf ?? [])]
  if (branches.length > 0 && named) return named
  if (branches.length > 0) return branches.map((each) => typeText(document, linkTo, each)).join(' or ')
  if ((resolved.properties || resolved.allOf) && named) return named
  return named && hasType ? `${named} · ${scalarType(resolved)}` : to(scalarType(resolved))
}

function scalarType(schema: Schema): string {
  if (schema.const !== undefined) return `constant \`${String(schema.const)}\``
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'any')
  return typeof schema.format === 'string' ? `${type} (${schema.format})` : type
}

import { fingerprintOf } from '../rules/read/fingerprint.ts'
import { asNode, asText, asTexts, isNode, type JsonNode, type JsonPath } from '../rules/read/json.ts'
import { effective, follow } from '../rules/read/reference.ts'
import type { Collector } from './change.ts'
import { compareConstraints } from './constraints.ts'
import type { Direction } from './direction.ts'
import { compareMembers } from './members.ts'
import { compareBranches } from './unions.ts'

/** A schema with the document that it stands in. */
export interface Side {
  document: unknown
  schema: unknown
  path: JsonPath
}

export interface SchemaContext {
  direction: Direction
  operation: string
  collector: Collector
  /** Whether the older side is open: of that strength, or inside of what is, as long as it says nothing firmer. */
  open: boolean
  compare(before: Side, after: Side): void
}

/** Compares what two schemas let through, in one direction. */
export function compareSchemas(
  before: Side,
  after: Side,
  direction: Direction,
  operation: string,
  collector: Collector,
): void {
  if (meaningOf(before) === meaningOf(after)) return
  // Pairs that are being compared, since schemas may contain themselves.
  const seen = new Set<string>()
  const compare = (older: Side, newer: Side, within: boolean): void => {
    const [a, b] = [settled(older), settled(newer)]
    const open = isOpen(older, a, within)
    const key = `${a.path.join('/')} ${b.path.join('/')} ${open}`
    if (seen.has(key)) return
    seen.add(key)
    const context: SchemaContext = {
      direction,
      operation,
      collector,
      open,
      compare: (x, y) => compare(x, y, open),
    }
    compareConstraints(a.schema, b.schema, b.path, context)
    compareMembers(a, b, context)
    compareBranches(a, b, context)
    compareParts(a, b, context)
  }
  compare(before, after, false)
}

/** What a reference says of itself goes before what is said where it stands, and that before the component's own. */
function isOpen({ schema }: Side, { schema: whole }: Settled, within: boolean): boolean {
  const own = asNode(schema)['x-strength']
  return own === undefined ? within || whole['x-strength'] === 'open' : own === 'open'
}

const meanings = new WeakMap<object, string>()

/** Most schemas are as they were, and each error answer is met by every operation. */
function meaningOf({ document, schema }: Side): string {
  if (!isNode(schema)) return JSON.stringify(schema) ?? ''
  const meaning = meanings.get(schema) ?? fingerprintOf(asNode(document), schema)
  meanings.set(schema, meaning)
  return meaning
}

export interface Settled extends Side {
  schema: JsonNode
}

/** The schema with references followed and `allOf` put together, at the place of its component if it has one. */
function settled({ document, schema, path }: Side): Settled {
  const place = typeof asNode(schema).$ref === 'string' ? follow(document, schema, path).path : path
  return { document, schema: merged(document, schema, 0), path: place }
}

const deepest = 20

function merged(document: unknown, schema: unknown, depth: number): JsonNode {
  const { allOf, ...own } = effective(document, schema)
  if (!Array.isArray(allOf) || depth > deepest) return own
  let whole: JsonNode = own
  for (const part of allOf) whole = joined(whole, merged(document, part, depth + 1))
  return whole
}

function joined(whole: JsonNode, part: JsonNode): JsonNode {
  const required = [...new Set([...asTexts(whole.required), ...asTexts(part.required)])]
  return {
    ...part,
    ...whole,
    ...union('properties', whole, part),
    ...(required.length > 0 ? { required } : {}),
  }
}

function union(key: string, a: JsonNode, b: JsonNode): JsonNode {
  return isNode(a[key]) || isNode(b[key]) ? { [key]: { ...asNode(b[key]), ...asNode(a[key]) } } : {}
}

/** Sub-schemas that are compared in place; those that only one side has are constraints of their own. */
const parts = ['items', 'contains', 'propertyNames', 'unevaluatedItems', 'contentSchema']

function compareParts(before: Settled, after: Settled, context: SchemaContext): void {
  for (const name of parts)
    if (isNode(before.schema[name]) && isNode(after.schema[name]))
      context.compare(partOf(before, name), partOf(after, name))
}

export function partOf({ document, schema, path }: Settled, ...keys: string[]): Side {
  const value = keys.reduce<unknown>((found, key) => asNode(found)[key], schema)
  return { document, schema: value, path: [...path, ...keys] }
}

export function nameOf(schema: unknown): string {
  return asText(asNode(schema).$ref).split('/').at(-1) ?? ''
}

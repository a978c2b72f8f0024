import { fingerprintOf } from '../rules/read/fingerprint.ts'
import { asNode, asText, isNode, type JsonNode, type JsonPath, valueAt } from '../rules/read/json.ts'
import { follow } from '../rules/read/reference.ts'
import type { Collector } from './change.ts'
import { compareConstraints, say } from './constraints.ts'
import type { Direction } from './direction.ts'
import { isRemark } from './keywords.ts'
import { compareFields, compareMarks } from './members.ts'
import { compareParts } from './parts.ts'
import { compareBranches } from './unions.ts'
import { compareUnjudged } from './unjudged.ts'
import { isNothing, wholeOf } from './whole.ts'

/** A schema with the document that it stands in. An absent one lets everything through. */
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
  /** Compares what stands within; whose place it is, a member's or not, decides who tells who may set it. */
  compare(before: Side, after: Side, isMember?: boolean): void
}

/** Compares what two schemas let through, in one direction. */
export function compareSchemas(
  before: Side,
  after: Side,
  direction: Direction,
  operation: string,
  collector: Collector,
): void {
  const seen = new Set<string>()
  // Pairs that are being compared, since schemas may contain themselves.
  const above = new Set<string>()
  const compare = (older: Side, newer: Side, within: boolean, isMember: boolean): void => {
    const [meant, means] = [meaningOf(older), meaningOf(newer)]
    if (meant === means) return
    const [a, b] = [settled(older), settled(newer)]
    const open = isOpen(older, a, within)
    const key = `${a.path.join('/')} ${b.path.join('/')} ${open} ${isMember}`
    const pair = `${meant} ${means} ${open} ${isMember}`
    if (seen.has(key) || above.has(pair)) return
    seen.add(key)
    above.add(pair)
    const context: SchemaContext = {
      direction,
      operation,
      collector,
      open,
      compare: (x, y, asField = false) => compare(x, y, open, asField),
    }
    compareSettled(a, b, context, isMember)
    above.delete(pair)
  }
  compare(before, after, false, false)
}

function compareSettled(a: Settled, b: Settled, context: SchemaContext, isMember: boolean): void {
  if (!isMember) compareMarks(a, b, context)
  if (isNothing(a.schema) !== isNothing(b.schema)) {
    const kind = isNothing(b.schema) ? 'narrowed' : 'widened'
    const text = `It lets ${isNothing(b.schema) ? 'nothing' : 'something'} through.`
    say(context, kind, 'schema', b.path, text)
    return
  }
  compareConstraints(a, b, context)
  compareFields(a, b, context)
  compareBranches(a, b, context)
  compareParts(a, b, context)
  compareUnjudged(a, b, context)
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

/** The schema as a whole; if it is a component that nothing but remarks stands beside, at the place of that. */
function settled({ document, schema, path }: Side): Settled {
  const { $ref, ...beside } = asNode(schema)
  const isBare = typeof $ref === 'string' && Object.keys(beside).every(isRemark)
  const place = isBare ? follow(document, schema, path).path : path
  return { document, schema: wholeOf(document, schema), path: place }
}

export function partOf({ document, schema, path }: Settled, ...keys: (string | number)[]): Side {
  return { document, schema: valueAt(schema, keys), path: [...path, ...keys] }
}

export function nameOf(schema: unknown): string {
  return asText(asNode(schema).$ref).split('/').at(-1) ?? ''
}

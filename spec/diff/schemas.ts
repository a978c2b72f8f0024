import { fingerprintOf } from '../rules/read/fingerprint.ts'
import { asNode, isNode } from '../rules/read/json.ts'
import { follow } from '../rules/read/reference.ts'
import type { Collector } from './change.ts'
import { compareConstraints, say } from './constraints.ts'
import type { Direction } from './direction.ts'
import { isRemark } from './keywords.ts'
import { compareParts } from './parts.ts'
import { compareFields, compareMarks } from './properties.ts'
import { nameOf, type SchemaContext, type Settled, type Side } from './schema-context.ts'
import { compareUnionForms } from './union-forms.ts'
import { compareBranches } from './unions.ts'
import { compareUnjudged } from './unjudged.ts'
import { isNothing, wholeOf } from './whole.ts'

/** Compares the values that two schemas accept, either in requests or in responses. */
export function compareSchemas(
  before: Side,
  after: Side,
  direction: Direction,
  operation: string,
  collector: Collector,
): void {
  const seen = new Set<string>()
  // The comparisons that are in progress. If a schema contains itself, the recursion stops at the second occurrence.
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
    compareNames(older, newer, b, context)
    compareSettled(a, b, context, isMember)
    above.delete(pair)
  }
  compare(before, after, false, false)
}

/**
 * Compares the names of schemas. Requests and responses don't contain these names, but published types and generated
 * clients use them.
 */
function compareNames(
  older: Side,
  newer: Side,
  { path }: Settled,
  { operation, collector }: SchemaContext,
): void {
  const [was, is] = [nameOf(older.schema), nameOf(newer.schema)]
  const has = ({ document }: Side, name: string) =>
    Object.hasOwn(asNode(asNode(asNode(document).components).schemas), name)
  if (was === '' || is === '' || was === is || has(newer, was) || has(older, is)) return
  const text = `The schema ${was} was renamed to ${is}.`
  collector.add('review', 'schema-renamed', path, text, operation)
}

function compareSettled(a: Settled, b: Settled, context: SchemaContext, isMember: boolean): void {
  if (!isMember) compareMarks(a, b, context)
  if (isNothing(a.schema) !== isNothing(b.schema)) {
    const kind = isNothing(b.schema) ? 'narrowed' : 'widened'
    const text = `The schema now accepts ${isNothing(b.schema) ? 'no values' : 'values'}.`
    say(context, kind, 'schema', b.path, text)
    return
  }
  if (compareUnionForms(a, b, context)) return
  compareConstraints(a, b, context)
  compareFields(a, b, context)
  compareBranches(a, b, context)
  compareParts(a, b, context)
  compareUnjudged(a, b, context)
}

/**
 * Returns whether a schema is open. An `x-strength` next to a reference takes precedence. Without its own `x-strength`,
 * a schema is open if the containing schema or the component is open.
 */
function isOpen({ schema }: Side, { schema: whole }: Settled, within: boolean): boolean {
  const own = asNode(schema)['x-strength']
  return own === undefined ? within || whole['x-strength'] === 'open' : own === 'open'
}

const meanings = new WeakMap<object, string>()

/**
 * Returns a hash of a schema's meaning. The hash avoids repeated comparisons of unchanged schemas and of error
 * responses that all operations share.
 */
function meaningOf({ document, schema }: Side): string {
  if (!isNode(schema)) return JSON.stringify(schema) ?? ''
  const meaning = meanings.get(schema) ?? fingerprintOf(asNode(document), schema)
  meanings.set(schema, meaning)
  return meaning
}

/**
 * Returns a schema merged with its references. If the schema is only a reference, the result has the component's
 * location.
 */
function settled({ document, schema, path }: Side): Settled {
  const { $ref, ...beside } = asNode(schema)
  const isBare = typeof $ref === 'string' && Object.keys(beside).every(isRemark)
  const place = isBare ? follow(document, schema, path).path : path
  return { document, schema: wholeOf(document, schema), path: place }
}

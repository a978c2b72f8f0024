import { asNode, asTexts, isNode, type JsonNode, type JsonPath } from '../rules/read/json.ts'
import type { ChangeClass } from './change.ts'
import { say } from './constraints.ts'
import { type Direction, narrowed, widened } from './direction.ts'
import { openness } from './keywords.ts'
import { partOf, type SchemaContext, type Settled, type Side } from './schema-context.ts'
import { isNothing, isSame, wholeOf } from './whole.ts'

/**
 * Compares the properties of objects by name. Also detects changes in whether a property is required, read-only or
 * write-only.
 */
export function compareFields(before: Settled, after: Settled, context: SchemaContext): void {
  const [old, now] = [before, after].map(namesOf)
  for (const name of old ?? [])
    if (now?.has(name)) compareField(before, after, name, context)
    else removed(before, name, context)
  for (const name of now ?? []) if (!old?.has(name)) added(before, after, name, context)
  comparePatterns(before, after, context)
  compareRequired(before, after, context)
  compareOpenness(before, after, context)
}

/** Returns the names of the properties that an object can have. Properties that don't accept any value are excluded. */
function namesOf(side: Settled): Set<string> {
  const names = Object.keys(asNode(side.schema.properties))
  return new Set(names.filter((name) => !isNothing(fieldOf(side, name))))
}

function fieldOf({ document, schema }: Settled, name: string): JsonNode {
  return wholeOf(document, asNode(schema.properties)[name])
}

function add(context: SchemaContext, kind: ChangeClass, rule: string, path: JsonPath, text: string): void {
  const { direction, operation, collector } = context
  collector.add(kind, `${direction}-${rule}`, path, text, operation)
}

function removed({ path }: Settled, name: string, context: SchemaContext): void {
  // A closed request schema rejects a removed property, but an open request schema ignores it.
  add(
    context,
    'breaking',
    'property-removed',
    [...path, 'properties', name],
    `The property ${name} was removed.`,
  )
}

function added(before: Settled, after: Settled, name: string, context: SchemaContext): void {
  const isRequired = requiredIn(after, context.direction).has(name)
  const breaks = context.direction === 'request' && isRequired
  const path = [...after.path, 'properties', name]
  const text = `The ${isRequired ? 'required ' : ''}property ${name} was added.`
  add(context, breaks ? 'breaking' : 'additive', 'property-added', path, text)
  // Before the property was added, clients may have sent it as an additional property.
  const others = before.schema.additionalProperties
  if (isNode(others))
    context.compare(partOf(before, 'additionalProperties'), partOf(after, 'properties', name))
}

function hidesIn(direction: Direction): 'readOnly' | 'writeOnly' {
  return direction === 'request' ? 'readOnly' : 'writeOnly'
}

function compareField(before: Settled, after: Settled, name: string, context: SchemaContext): void {
  const [older, newer] = [partOf(before, 'properties', name), partOf(after, 'properties', name)]
  const [old, now] = [fieldOf(before, name), fieldOf(after, name)]
  const hides = hidesIn(context.direction)
  const [was, is] = [old[hides] === true, now[hides] === true]
  if (!was && is)
    add(context, 'breaking', `property-${hides}`, newer.path, `The property ${name} is now ${hides}.`)
  if (was && !is)
    add(context, 'additive', `property-${hides}`, newer.path, `The property ${name} is no longer ${hides}.`)
  // `readOnly` has no effect in requests and `writeOnly` has no effect in responses, but readers see both.
  const shows = hides === 'readOnly' ? 'writeOnly' : 'readOnly'
  if ((old[shows] === true) !== (now[shows] === true)) {
    const text = `The property ${name} is ${now[shows] === true ? 'now' : 'no longer'} ${shows}.`
    add(context, 'editorial', `property-${shows}`, newer.path, text)
  }
  compareDeprecation(old, now, `property ${name}`, newer.path, context)
  if (!is) context.compare(older, newer, true)
}

/** Compares `readOnly`, `writeOnly` and `deprecated` in a schema that isn't a property. */
export function compareMarks(before: Settled, after: Settled, context: SchemaContext): void {
  compareDeprecation(before.schema, after.schema, 'schema', after.path, context)
  for (const name of ['readOnly', 'writeOnly'])
    if ((before.schema[name] === true) !== (after.schema[name] === true))
      add(context, 'breaking', `schema-${name}`, after.path, `${name} changed.`)
}

function compareDeprecation(
  before: JsonNode,
  after: JsonNode,
  what: string,
  path: JsonPath,
  { collector, operation }: SchemaContext,
): void {
  const [was, is] = [before, after].map(({ deprecated }) => deprecated === true)
  const [kind] = what.split(' ')
  if (!was && is)
    collector.add('deprecating', `${kind}-deprecated`, path, `The ${what} is deprecated.`, operation)
  if (was && !is)
    collector.add('additive', `${kind}-undeprecated`, path, `The ${what} is no longer deprecated.`, operation)
}

/**
 * Compares `patternProperties`. A pattern defines the schema of all properties with matching names. If additional
 * properties aren't allowed, it also defines which names are allowed.
 */
function comparePatterns(before: Settled, after: Settled, context: SchemaContext): void {
  const [old, now] = [before, after].map(({ schema }) => asNode(schema.patternProperties))
  const isShut = [before, after].some(({ schema }) =>
    openness.some((name) => (schema[name] ?? true) !== true),
  )
  for (const pattern of new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])) {
    const [was, is] = [old, now].map((patterns) => Object.hasOwn(patterns ?? {}, pattern))
    const [older, newer] = [before, after].map((side) => partOf(side, 'patternProperties', pattern)) as [
      Side,
      Side,
    ]
    if (was && is) context.compare(older, newer)
    else {
      const text = `The schema for properties that match ${pattern} was ${is ? 'added' : 'removed'}.`
      say(context, isShut ? 'changed' : is ? 'narrowed' : 'widened', 'patternProperties', newer.path, text)
    }
  }
}

/**
 * Returns the required properties. Read-only properties aren't required in requests, and write-only properties aren't
 * required in responses.
 */
function requiredIn(side: Settled, direction: Direction): Set<string> {
  const names = asTexts(side.schema.required)
  return new Set(names.filter((name) => fieldOf(side, name)[hidesIn(direction)] !== true))
}

function compareRequired(before: Settled, after: Settled, context: SchemaContext): void {
  const { direction, open } = context
  const [old, now] = [requiredIn(before, direction), requiredIn(after, direction)]
  const [known, knows] = [namesOf(before), namesOf(after)]
  const report = (kind: ChangeClass, what: 'required' | 'optional', name: string) => {
    const text = `The property ${name} is now ${what}.`
    add(context, kind, `property-${what}`, [...after.path, 'properties', name], text)
  }
  // Properties that were added or removed have already been reported.
  for (const name of now)
    if (!old.has(name) && (known.has(name) || !knows.has(name))) report(narrowed(direction), 'required', name)
  for (const name of old)
    if (!now.has(name) && (knows.has(name) || !known.has(name)))
      report(widened(direction, open), 'optional', name)
}

/**
 * Detects changes in whether additional properties are allowed. For responses, such changes don't matter because
 * clients must always accept additional properties.
 */
function compareOpenness(before: Settled, after: Settled, context: SchemaContext): void {
  for (const name of openness) {
    const [old, now] = [before.schema[name], after.schema[name]]
    if (old !== false && now !== false) context.compare(partOf(before, name), partOf(after, name))
    else if (!isSame(old, now)) {
      const closes = now === false
      const kind = closes ? narrowed(context.direction) : 'additive'
      const text = `Additional properties are ${closes ? 'no longer' : 'now'} allowed.`
      add(context, kind, `object-${closes ? 'closed' : 'opened'}`, after.path, text)
    }
  }
}

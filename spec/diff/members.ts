import { asNode, asTexts, isNode, type JsonNode, type JsonPath } from '../rules/read/json.ts'
import type { ChangeClass } from './change.ts'
import { say } from './constraints.ts'
import { type Direction, narrowed, widened } from './direction.ts'
import { openness } from './keywords.ts'
import { partOf, type SchemaContext, type Settled, type Side } from './schemas.ts'
import { isNothing, isSame, wholeOf } from './whole.ts'

/** Compares the members of objects: which there are, which are required, who may set or see them. */
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

/** The members that an object may have; one that takes no value is none. */
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
  // A closed request refuses it, an open one ignores what the client meant by it.
  add(context, 'breaking', 'property-removed', [...path, 'properties', name], `The property ${name} is gone.`)
}

function added(before: Settled, after: Settled, name: string, context: SchemaContext): void {
  const isRequired = requiredIn(after, context.direction).has(name)
  const breaks = context.direction === 'request' && isRequired
  const path = [...after.path, 'properties', name]
  const text = `The ${isRequired ? 'required ' : ''}property ${name} is new.`
  add(context, breaks ? 'breaking' : 'additive', 'property-added', path, text)
  // Among members that have a schema together, it may have been sent before.
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
    add(context, 'breaking', `property-${hides}`, newer.path, `The property ${name} became ${hides}.`)
  if (was && !is)
    add(context, 'additive', `property-${hides}`, newer.path, `The property ${name} is no longer ${hides}.`)
  compareDeprecation(old, now, `property ${name}`, newer.path, context)
  if (!is) context.compare(older, newer, true)
}

/** What a schema that is no member says of who sets it and how long it stays. */
export function compareMarks(before: Settled, after: Settled, context: SchemaContext): void {
  compareDeprecation(before.schema, after.schema, 'schema', after.path, context)
  for (const name of ['readOnly', 'writeOnly'])
    if ((before.schema[name] === true) !== (after.schema[name] === true))
      add(context, 'breaking', `schema-${name}`, after.path, `Whether it is ${name} changed.`)
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

/** A pattern gives a schema to members that no name is given for; where others are shut out, it lets them in as well. */
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
      const text = `Members like ${pattern} ${is ? 'have a schema' : 'have no schema any more'}.`
      say(context, isShut ? 'changed' : is ? 'narrowed' : 'widened', 'patternProperties', newer.path, text)
    }
  }
}

/** The members that must be there; who never sends one need not. */
function requiredIn(side: Settled, direction: Direction): Set<string> {
  const names = asTexts(side.schema.required)
  return new Set(names.filter((name) => fieldOf(side, name)[hidesIn(direction)] !== true))
}

function compareRequired(before: Settled, after: Settled, context: SchemaContext): void {
  const { direction, open } = context
  const [old, now] = [requiredIn(before, direction), requiredIn(after, direction)]
  const [known, knows] = [namesOf(before), namesOf(after)]
  const tell = (kind: ChangeClass, what: 'required' | 'optional', name: string) => {
    const text = `The property ${name} became ${what}.`
    add(context, kind, `property-${what}`, [...after.path, 'properties', name], text)
  }
  // That a member came or went has been said, and what it means.
  for (const name of now)
    if (!old.has(name) && (known.has(name) || !knows.has(name))) tell(narrowed(direction), 'required', name)
  for (const name of old)
    if (!now.has(name) && (knows.has(name) || !known.has(name)))
      tell(widened(direction, open), 'optional', name)
}

/** An answer may always carry more than it shows, so opening one is no surprise. */
function compareOpenness(before: Settled, after: Settled, context: SchemaContext): void {
  for (const name of openness) {
    const [old, now] = [before.schema[name], after.schema[name]]
    if (old !== false && now !== false) context.compare(partOf(before, name), partOf(after, name))
    else if (!isSame(old, now)) {
      const closes = now === false
      const kind = closes ? narrowed(context.direction) : 'additive'
      const text = `Other members are ${closes ? 'no longer ' : ''}let through.`
      add(context, kind, `object-${closes ? 'closed' : 'opened'}`, after.path, text)
    }
  }
}

import { asNode, asTexts, isNode, type JsonPath } from '../rules/read/json.ts'
import { effective } from '../rules/read/reference.ts'
import type { ChangeClass } from './change.ts'
import { narrowed, widened } from './direction.ts'
import { partOf, type SchemaContext, type Settled } from './schemas.ts'

/** Compares the members of objects: which there are, which are required, who may set or see them. */
export function compareMembers(before: Settled, after: Settled, context: SchemaContext): void {
  const [old, now] = [before, after].map(({ schema }) => asNode(schema.properties))
  for (const name of Object.keys(old ?? {}))
    if (now && Object.hasOwn(now, name)) compareMember(before, after, name, context)
    else removed(before, name, context)
  for (const name of Object.keys(now ?? {})) if (!Object.hasOwn(old ?? {}, name)) added(after, name, context)
  compareRequired(before, after, context)
  compareOpenness(before, after, context)
}

function add(context: SchemaContext, kind: ChangeClass, rule: string, path: JsonPath, text: string): void {
  const { direction, operation, collector } = context
  collector.add(kind, `${direction}-${rule}`, path, text, operation)
}

function removed({ path }: Settled, name: string, context: SchemaContext): void {
  // A closed request refuses it, an open one ignores what the client meant by it.
  add(context, 'breaking', 'property-removed', [...path, 'properties', name], `The property ${name} is gone.`)
}

function added({ path, schema }: Settled, name: string, context: SchemaContext): void {
  const isRequired = asTexts(schema.required).includes(name)
  const breaks = context.direction === 'request' && isRequired
  const text = `The ${isRequired ? 'required ' : ''}property ${name} is new.`
  add(context, breaks ? 'breaking' : 'additive', 'property-added', [...path, 'properties', name], text)
}

function compareMember(before: Settled, after: Settled, name: string, context: SchemaContext): void {
  const [older, newer] = [partOf(before, 'properties', name), partOf(after, 'properties', name)]
  const [old, now] = [older, newer].map(({ document, schema }) => effective(document, schema))
  const hides = context.direction === 'request' ? 'readOnly' : 'writeOnly'
  const [was, is] = [old?.[hides] === true, now?.[hides] === true]
  if (!was && is)
    add(context, 'breaking', `property-${hides}`, newer.path, `The property ${name} became ${hides}.`)
  if (was && !is)
    add(context, 'additive', `property-${hides}`, newer.path, `The property ${name} is no longer ${hides}.`)
  compareDeprecation(old?.deprecated === true, now?.deprecated === true, name, newer.path, context)
  if (!is) context.compare(older, newer)
}

function compareDeprecation(
  was: boolean,
  is: boolean,
  name: string,
  path: JsonPath,
  context: SchemaContext,
): void {
  const { collector, operation } = context
  if (!was && is)
    collector.add(
      'deprecating',
      'property-deprecated',
      path,
      `The property ${name} is deprecated.`,
      operation,
    )
  if (was && !is)
    collector.add(
      'additive',
      'property-undeprecated',
      path,
      `The property ${name} is no longer deprecated.`,
      operation,
    )
}

function compareRequired(before: Settled, after: Settled, context: SchemaContext): void {
  const [old, now] = [before, after].map(({ schema }) => asTexts(schema.required))
  const existed = asNode(before.schema.properties)
  const exists = asNode(after.schema.properties)
  for (const name of now ?? [])
    if (!old?.includes(name) && Object.hasOwn(existed, name))
      add(
        context,
        narrowed(context.direction),
        'property-required',
        [...after.path, 'properties', name],
        `The property ${name} became required.`,
      )
  for (const name of old ?? [])
    if (!now?.includes(name) && Object.hasOwn(exists, name))
      add(
        context,
        widened(context.direction, context.open),
        'property-optional',
        [...after.path, 'properties', name],
        `The property ${name} became optional.`,
      )
}

/** An answer may always carry more than it shows, so opening one is no surprise. */
function compareOpenness(before: Settled, after: Settled, context: SchemaContext): void {
  for (const name of ['additionalProperties', 'unevaluatedProperties']) {
    const [old, now] = [before.schema[name] ?? true, after.schema[name] ?? true]
    if (isNode(old) && isNode(now)) context.compare(partOf(before, name), partOf(after, name))
    else if (JSON.stringify(old) !== JSON.stringify(now)) {
      const closes = now === false || old === true
      const kind = closes ? narrowed(context.direction) : 'additive'
      add(
        context,
        kind,
        `object-${closes ? 'closed' : 'opened'}`,
        after.path,
        `Other members are ${closes ? 'no longer ' : ''}let through.`,
      )
    }
  }
}

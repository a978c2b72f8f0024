import { fingerprintOf } from '../rules/read/fingerprint.ts'
import { asNode, type JsonNode, type JsonPath } from '../rules/read/json.ts'
import { defaultOf } from '../src/default.ts'
import { narrowed, widened } from './direction.ts'
import { lower, opaque, upper } from './keywords.ts'
import type { SchemaContext, Settled } from './schema-context.ts'

/** Compares the keywords that restrict which values a schema accepts. */
export function compareConstraints(older: Settled, newer: Settled, context: SchemaContext): void {
  const { schema: before } = older
  const { schema: after, path } = newer
  compareTypes(before, after, path, context)
  compareEnumerations(before, after, path, context)
  for (const name of upper) compareBound(name, before, after, 1, path, context)
  for (const name of Object.keys(lower)) compareBound(name, before, after, -1, path, context)
  for (const name of opaque) compareOpaque(name, older, newer, context)
  compareFormat(before.format, after.format, path, context)
  compareDefault(defaultOf(before), defaultOf(after), path, context)
}

export function say(
  context: SchemaContext,
  kind: 'narrowed' | 'widened' | 'changed',
  what: string,
  path: JsonPath,
  text: string,
): void {
  const { direction, operation, collector, open } = context
  const change = {
    narrowed: narrowed(direction),
    widened: widened(direction, open),
    changed: 'breaking' as const,
  }[kind]
  collector.add(change, `${direction}-${what}-${kind}`, path, text, operation)
}

function compareTypes(before: JsonNode, after: JsonNode, path: JsonPath, context: SchemaContext): void {
  const [old, now] = [typesOf(before), typesOf(after)]
  if (old === undefined && now === undefined) return
  const lost = old === undefined ? ['any'] : now === undefined ? [] : old.filter((type) => !takes(now, type))
  const gained =
    now === undefined ? ['any'] : old === undefined ? [] : now.filter((type) => !takes(old, type))
  const text = `The type changed from ${old?.join(' or ') ?? 'any'} to ${now?.join(' or ') ?? 'any'}.`
  if (lost.length > 0 && gained.length > 0 && old && now) say(context, 'changed', 'type', path, text)
  else if (lost.length > 0) say(context, 'narrowed', 'type', path, text)
  // Open schemas may accept additional values, but not values of additional types.
  else if (gained.length > 0) say({ ...context, open: false }, 'widened', 'type', path, text)
}

function typesOf(schema: JsonNode): string[] | undefined {
  return schema.type === undefined ? undefined : [schema.type].flat().map(String)
}

function takes(types: string[], type: string): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'))
}

function compareEnumerations(
  before: JsonNode,
  after: JsonNode,
  path: JsonPath,
  context: SchemaContext,
): void {
  const [old, now] = [valuesOf(before), valuesOf(after)]
  if (!old && !now) return
  if (!old) say(context, 'narrowed', 'enumeration', path, 'The enum was added.')
  if (!now) say(context, 'widened', 'enumeration', path, 'The enum was removed.')
  if (!old || !now) return
  for (const value of old.filter((each) => !now.includes(each)))
    say(context, 'narrowed', 'enumeration', path, `The value ${value} was removed.`)
  for (const value of now.filter((each) => !old.includes(each)))
    say(context, 'widened', 'enumeration', path, `The value ${value} was added.`)
}

function valuesOf(schema: JsonNode): string[] | undefined {
  const listed = Array.isArray(schema.enum) ? schema.enum.map((value) => JSON.stringify(value)) : undefined
  if (!('const' in schema)) return listed
  const only = JSON.stringify(schema.const)
  return listed && !listed.includes(only) ? [] : [only]
}

/** Compares an upper or lower limit. `sign` is 1 for an upper limit and -1 for a lower limit. */
function compareBound(
  name: string,
  before: JsonNode,
  after: JsonNode,
  sign: 1 | -1,
  path: JsonPath,
  context: SchemaContext,
): void {
  const [old, now] = [before[name] ?? lower[name], after[name] ?? lower[name]]
  if (old === now) return
  const text = `${name} changed from ${formatValue(old)} to ${formatValue(now)}.`
  if (typeof now !== 'number') say(context, 'widened', name, path, text)
  else if (typeof old === 'number')
    say(context, (now - old) * sign < 0 ? 'narrowed' : 'widened', name, path, text)
  else if (!isSatisfied(before, now, sign)) say(context, 'narrowed', name, path, text)
}

/** Returns whether a new limit has no effect because every value in the enumeration is already within the limit. */
function isSatisfied({ enum: values }: JsonNode, bound: number, sign: 1 | -1): boolean {
  return (
    Array.isArray(values) && values.every((value) => typeof value === 'number' && (bound - value) * sign >= 0)
  )
}

/**
 * Reports that a keyword was added, removed or changed. If the keyword's value contains references, changes to the
 * referenced schemas also count.
 */
export function compareOpaque(name: string, before: Settled, after: Settled, context: SchemaContext): void {
  const [old, now] = [before.schema[name], after.schema[name]]
  if (fingerprintOf(asNode(before.document), old) === fingerprintOf(asNode(after.document), now)) return
  if (isAbsent(name, old) && isAbsent(name, now)) return
  const kind = isAbsent(name, old) ? 'narrowed' : isAbsent(name, now) ? 'widened' : 'changed'
  const text = `${name} changed from ${formatValue(old)} to ${formatValue(now)}.`
  say(context, kind, name, after.path, text)
}

/**
 * Returns whether a keyword has no effect. For `uniqueItems` and `not`, `false` has no effect. For all other keywords,
 * `false` rejects every value.
 */
function isAbsent(name: string, value: unknown): boolean {
  return value === undefined || (value === false && ['uniqueItems', 'not'].includes(name))
}

/** Maps a format to a more general format that includes all of its values. */
const wider: Record<string, string> = { int32: 'int64', float: 'double' }

function compareFormat(old: unknown, now: unknown, path: JsonPath, context: SchemaContext): void {
  if (old === now) return
  const isWider = now === undefined || wider[String(old)] === now
  const isNarrower = old === undefined || wider[String(now)] === old
  const kind = isWider ? 'widened' : isNarrower ? 'narrowed' : 'changed'
  say(context, kind, 'format', path, `The format changed from ${formatValue(old)} to ${formatValue(now)}.`)
}

/**
 * Compares default values. In requests, a default determines what the server does if the field is missing. In
 * responses, a default is only informational.
 */
function compareDefault(old: unknown, now: unknown, path: JsonPath, context: SchemaContext): void {
  if (JSON.stringify(old) === JSON.stringify(now)) return
  const { direction, operation, collector } = context
  const kind = direction === 'response' ? 'editorial' : old === undefined ? 'additive' : 'breaking'
  collector.add(
    kind,
    `${direction}-default-changed`,
    path,
    `The default changed from ${formatValue(old)} to ${formatValue(now)}.`,
    operation,
  )
}

export function formatValue(value: unknown): string {
  return value === undefined ? '(none)' : JSON.stringify(value)
}

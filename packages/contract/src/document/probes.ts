import type { Document, SchemaLocation } from './document.ts'
import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  numberAt,
  objectAt,
  stringAt,
} from './json.ts'
import type { Strength } from './strength.ts'
import { isStrength } from './strength.ts'

/** A value at, within or just past one of a schema's constraints. */
export interface Probe {
  /** Names the constraint and the side, for example `maximum` or `maximum+1`. */
  readonly label: string
  readonly value: Json
  readonly valid: boolean
  readonly strength: Strength | undefined
}

const typesOf = (schema: JsonObject): string[] => {
  if (typeof schema.type === 'string') return [schema.type]
  if (schema.enum !== undefined) return [...new Set(listAt(schema, 'enum').map((value) => typeof value))]
  return listAt(schema, 'type').filter((type) => typeof type === 'string')
}

export const flatten = (document: Document, place: SchemaLocation): JsonObject => {
  const parts = listAt(place.value, 'allOf').map((_, index) =>
    flatten(document, document.follow(`${place.pointer}/allOf/${index}`)),
  )
  const merged: Record<string, Json> = {}
  for (const part of [...parts, place.value]) {
    for (const [key, value] of Object.entries(part)) {
      const before = merged[key]
      const joined =
        key === 'properties' && isObject(before) && isObject(value) ? { ...before, ...value } : value
      merged[key] = key === 'required' && isArray(before) && isArray(value) ? [...before, ...value] : joined
    }
  }
  return merged
}

/**
 * Makes an example longer or shorter by repeating or removing characters, so that it usually still matches the pattern.
 */
const stretched = (example: string, length: number): string => {
  const last = [...example].at(-1) ?? 'a'
  const text = [...example].slice(0, length).join('')
  return text + last.repeat(Math.max(0, length - [...text].length))
}

/** Longer strings and lists aren't tested, because the server would first reject the body as too large. */
const largestProbe = 100_000

const otherCase = (text: string): string =>
  text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase()

/**
 * Returns whether an invalid enum value differs from a valid one only in letter case. The specification doesn't define
 * whether the letter case of enum values matters.
 */
export const isInOtherCase = ({ label, valid }: Pick<Probe, 'label' | 'valid'>): boolean =>
  !valid && /(^| )enum (?!other$)/.test(label)

const stringProbes = (schema: JsonObject, example: string): Omit<Probe, 'strength'>[] => {
  const probes: Omit<Probe, 'strength'>[] = []
  const [shortest, longest] = [numberAt(schema, 'minLength'), numberAt(schema, 'maxLength')]
  const choices = listAt(schema, 'enum')
  if (choices.length > 0) {
    for (const value of choices) probes.push({ label: `enum ${String(value)}`, value, valid: true })
    probes.push({ label: 'enum other', value: 'NOT_ONE_OF_THEM', valid: false })
    const [choice = ''] = [...choices.filter((value) => value === example), ...choices]
    const other = typeof choice === 'string' ? otherCase(choice) : ''
    if (other !== '' && !choices.includes(other))
      probes.push({ label: `enum ${other}`, value: other, valid: false })
    return probes
  }
  if (shortest !== undefined && shortest > 0) {
    probes.push({ label: 'minLength', value: stretched(example, shortest), valid: true })
    probes.push({ label: 'minLength-1', value: stretched(example, shortest - 1), valid: false })
  }
  if (longest !== undefined && longest < largestProbe) {
    probes.push({ label: 'maxLength', value: stretched(example, longest), valid: true })
    probes.push({ label: 'maxLength+1', value: stretched(example, longest + 1), valid: false })
  }
  if (schema.pattern !== undefined)
    probes.push({ label: 'pattern', value: `${example.slice(1)}!`, valid: false })
  if (schema.format !== undefined)
    probes.push({ label: `format ${stringAt(schema, 'format')}`, value: 'no such thing', valid: false })
  if (schema.format === 'date-time')
    probes.push({ label: 'format impossible day', value: '2026-02-30T10:00:00Z', valid: false })
  return probes
}

const numberProbes = (schema: JsonObject): Omit<Probe, 'strength'>[] => {
  const probes: Omit<Probe, 'strength'>[] = []
  const [least, most] = [numberAt(schema, 'minimum'), numberAt(schema, 'maximum')]
  if (least !== undefined) {
    probes.push({ label: 'minimum', value: least, valid: true })
    probes.push({ label: 'minimum-1', value: least - 1, valid: false })
  }
  if (most !== undefined) {
    probes.push({ label: 'maximum', value: most, valid: true })
    probes.push({ label: 'maximum+1', value: most + 1, valid: false })
  }
  for (const value of listAt(schema, 'enum'))
    probes.push({ label: `enum ${String(value)}`, value, valid: true })
  return probes
}

/** Returns the label of the value just past a bound. Other labels stay the same. */
export const pastBound = (label: string): string =>
  label
    .replace(/ ?enum .*$/, (found) => found.replace(/enum .*/, 'enum other'))
    .replace(/(min\w+)$/, '$1-1')
    .replace(/(max\w+)$/, '$1+1')

/** Creates an item of the same kind. If items have names, the new item has a different name. */
export const anotherItem = (item: Json, index: number): Json => {
  const name = stringAt(item, 'name')
  return isObject(item) && name !== undefined ? { ...item, name: `${name}${index}` } : item
}

const listProbes = (schema: JsonObject, example: readonly Json[]): Omit<Probe, 'strength'>[] => {
  const probes: Omit<Probe, 'strength'>[] = []
  const [first] = example
  const [least, most] = [numberAt(schema, 'minItems'), numberAt(schema, 'maxItems')]
  if (first === undefined) return probes
  const filled = (length: number): Json[] =>
    Array.from({ length }, (_, index) => example[index] ?? anotherItem(first, index))
  if (least !== undefined && least > 0)
    probes.push({ label: 'minItems-1', value: filled(least - 1), valid: false })
  if (most !== undefined && most < largestProbe) {
    probes.push({ label: 'maxItems', value: filled(most), valid: true })
    probes.push({ label: 'maxItems+1', value: filled(most + 1), valid: false })
  }
  return probes
}

const wrongTypes: Record<string, readonly Json[]> = {
  string: [7, true, ['a'], { a: 1 }],
  integer: ['7', 1.5, true, [7]],
  number: ['7', true, [7]],
  boolean: ['true', 1],
  array: ['a', { a: 1 }],
  object: ['a', [1]],
}

const wrongTypeProbes = (types: readonly string[]): Omit<Probe, 'strength'>[] => {
  const [type] = types
  if (type === undefined || types.length > 1) return []
  const wrong: Json[] = [...(wrongTypes[type] ?? []), null]
  return wrong.map((value) => ({
    label: `type ${value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value}`,
    value,
    valid: false,
  }))
}

/**
 * Returns values for testing a schema: at each bound, just past each bound, and of the wrong type.
 *
 * @param example A valid value.
 */
export const probesOf = (schema: JsonObject, example: Json | undefined): Probe[] => {
  const types = typesOf(schema)
  const probes = wrongTypeProbes(types)
  if (types.includes('string') || typeof example === 'string')
    probes.push(...stringProbes(schema, typeof example === 'string' ? example : 'example'))
  if (types.includes('integer') || types.includes('number')) probes.push(...numberProbes(schema))
  if (types.includes('array')) probes.push(...listProbes(schema, isArray(example) ? example : []))
  const own = stringAt(schema, 'x-strength')
  const strength = isStrength(own) ? own : undefined
  const decided = objectAt(schema, 'x-decided')
  return probes.map((probe) => {
    const [keyword = ''] = /^\w+/.exec(probe.label) ?? []
    return { ...probe, strength: keyword in decided ? 'decided' : strength }
  })
}

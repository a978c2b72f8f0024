import { states } from '@svc-admin/types'
import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  parseJson,
  sameJson,
} from '../document/json.ts'
import { flatten } from '../document/probes.ts'
import type { Strength } from '../document/strength.ts'
import { parseTimestamp } from '../document/timestamp.ts'
import type { Cell } from '../model/api.ts'
import { fieldOf } from './successful-response.ts'

interface Machine {
  readonly field: string
  readonly values: readonly string[]
  readonly initial: string
  readonly transitions: readonly { readonly from: string; readonly to: string; readonly trigger: string }[]
}

/** The state machines of resources that change on their own. */
const machines: readonly Machine[] = Object.values<Machine>(states).filter(({ transitions }) =>
  transitions.some(({ trigger }) => trigger === 'time'),
)

const stateFields: ReadonlySet<string> = new Set(machines.map(({ field }) => field))

/** Fields that can change between two requests even if the state stays the same. */
const moving: ReadonlySet<string> = new Set(['lastNotified', 'lagTimeSeconds', 'exportStatus'])

/** Fields that keep their values as long as the resource exists. */
const lasting: ReadonlySet<string> = new Set([
  ...['id', '_id', 'indexID', 'roleId', 'groupId', 'orgId', 'projectId', 'clusterId', 'clusterName'],
  ...['created', 'createdAt', 'createdDate', 'startRequestDate', 'alertConfigId', 'snapshotId'],
])

/** Request fields that have a different name in responses. */
export const shownAs: Readonly<Record<string, string>> = { definition: 'latestDefinition' }

/** The JSON document in a text, such as an audit filter, or `undefined` if there is none. */
const documentIn = (text: string): Json | undefined => (/^\s*[{[]/.test(text) ? parseJson(text) : undefined)

/**
 * Normalizes a value for comparisons, in which the format of times and the layout of documents in texts don't matter.
 */
export const normalized = (value: Json): Json => {
  if (typeof value === 'string') return parseTimestamp(value) ?? documentIn(value) ?? value
  if (isArray(value)) return value.map(normalized)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, normalized(field)]))
}

const same = (one: Json | undefined, other: Json | undefined): boolean =>
  sameJson(one && normalized(one), other && normalized(other))

/**
 * Returns whether a state can be followed by another one. Other implementations may have states that the kit doesn't
 * recognize.
 */
const canFollow = (field: string, from: Json | undefined, to: Json | undefined): boolean => {
  if (from === undefined) return true
  const known = machines.filter((one) => one.field === field && one.values.some((value) => value === to))
  if (known.length === 0)
    return typeof to === 'string' && !machines.some(({ values }) => values.some((value) => value === from))
  return known.some(({ initial, transitions, values }) => {
    if (to === initial) return false
    const reached = new Set([from])
    for (const state of reached) for (const step of transitions) if (step.from === state) reached.add(step.to)
    return reached.has(to ?? null) || !values.some((value) => value === from)
  })
}

/** The documented fields of a resource, without its links. */
const documentedFields = (cell: Cell, schema: string, resources: readonly (Json | undefined)[]): string[] => {
  const { document } = cell.version
  const properties = objectAt(flatten(document, document.follow(schema)), 'properties')
  const present = new Set(resources.flatMap((one) => Object.keys(isObject(one) ? one : {})))
  return Object.keys(properties).filter((name) => name !== 'links' && present.has(name))
}

/** A field that differs between two representations of a resource. */
export interface DifferentField {
  readonly name: string
  /** Which fields a representation must have, and how states follow each other, is our decision. */
  readonly strength: Strength
}

export interface Compared {
  readonly cell: Cell
  readonly schema: string
  /** Fields that the request set. */
  readonly sent: ReadonlySet<string>
}

/**
 * The fields that differ between a resource and the same resource in a later response. If the resource has entered
 * another state in the meantime, only fields that don't depend on the state are compared.
 */
export const differentFields = (
  { cell, schema, sent }: Compared,
  earlier: Json | undefined,
  later: Json | undefined,
): DifferentField[] => {
  if (!isObject(earlier) || !isObject(later))
    return same(earlier, later) ? [] : [{ name: '', strength: 'stated' }]
  const names = documentedFields(cell, schema, [earlier, later])
  const differs = (name: string): boolean => !same(fieldOf(earlier, name), fieldOf(later, name))
  const entered = names.filter((name) => stateFields.has(name) && differs(name))
  const illegal = entered.filter((name) => !canFollow(name, fieldOf(earlier, name), fieldOf(later, name)))
  const compared = names.filter(
    (name) =>
      !moving.has(name) &&
      !stateFields.has(name) &&
      (entered.length === 0 || lasting.has(name) || sent.has(name)),
  )
  return [...illegal, ...compared.filter(differs)].map((name) => ({
    name,
    strength: stateFields.has(name) || fieldOf(earlier, name) === undefined ? 'decided' : 'stated',
  }))
}

/** Returns the fields that must never change, but that differ. */
export const changedForever = (
  { cell, schema }: Compared,
  earlier: Json | undefined,
  later: Json | undefined,
  others: ReadonlySet<string> = new Set(),
): string[] =>
  documentedFields(cell, schema, [earlier]).filter(
    (name) => (lasting.has(name) || others.has(name)) && !same(fieldOf(earlier, name), fieldOf(later, name)),
  )

/** Whether two representations have the same documented fields with the same values. */
export const isUnchanged = (
  { cell, schema }: Compared,
  one: Json | undefined,
  other: Json | undefined,
): boolean =>
  isObject(one) && isObject(other)
    ? documentedFields(cell, schema, [one, other]).every((name) =>
        same(fieldOf(one, name), fieldOf(other, name)),
      )
    : same(one, other)

/** Only the given fields, for a report. */
export const excerptOf = (resource: Json | undefined, names: readonly string[]): Json | undefined => {
  if (!isObject(resource)) return resource
  const fields: JsonObject = Object.fromEntries(
    names.flatMap((name) => (resource[name] === undefined ? [] : [[name, resource[name]]])),
  )
  return fields
}

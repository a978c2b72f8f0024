import { states } from '@svc-admin/types'
import { onCreate } from '../check/rule.ts'
import {
  canonicalText,
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
import { documentedOnly } from '../model/documented.ts'
import { listedNamesOf } from '../model/listed-names.ts'
import { fieldOf } from './successful-response.ts'

interface Machine {
  readonly field: string
  readonly values: readonly string[]
  readonly initial: string
  readonly transitions: readonly { readonly from: string; readonly to: string; readonly trigger: string }[]
}

/** The state machines of resources that change without a request. */
const machines: readonly Machine[] = Object.values<Machine>(states).filter(({ transitions }) =>
  transitions.some(({ trigger }) => trigger === 'time'),
)

const stateFields: ReadonlySet<string> = new Set(machines.map(({ field }) => field))

/** These fields can change between two requests, even if the state doesn't change. */
const moving: ReadonlySet<string> = new Set(['lastNotified', 'lagTimeSeconds', 'exportStatus'])

/** These fields never change while the resource exists. */
const lasting: ReadonlySet<string> = new Set([
  ...['id', '_id', 'indexID', 'roleId', 'groupId', 'orgId', 'projectId', 'clusterId', 'clusterName'],
  ...['created', 'createdAt', 'createdDate', 'startRequestDate', 'alertConfigId', 'snapshotId'],
])

/** These request fields have a different name in responses. */
export const shownAs: Readonly<Record<string, string>> = { definition: 'latestDefinition' }

/** Returns the JSON document that a string contains, such as an audit filter, or `undefined` if it contains none. */
const documentIn = (text: string): Json | undefined => (/^\s*[{[]/.test(text) ? parseJson(text) : undefined)

/** Normalizes a value for comparisons. Time formats and the layout of JSON documents in strings don't matter. */
export const normalized = (value: Json): Json => {
  if (typeof value === 'string') return parseTimestamp(value) ?? documentIn(value) ?? value
  if (isArray(value)) return value.map(normalized)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, normalized(field)]))
}

/** The specification defines no order for the items of a resource that is an array, such as analyzers. */
const inOneOrder = (value: Json): Json => (isArray(value) ? value.map(canonicalText).sort() : value)

const comparable = (value: Json): Json => normalized(documentedOnly(value))

const same = (one: Json | undefined, other: Json | undefined): boolean =>
  sameJson(one && comparable(one), other && comparable(other))

/** Returns whether two responses that aren't objects show the same resource. */
const sameArray = (one: Json | undefined, other: Json | undefined): boolean =>
  sameJson(one && inOneOrder(comparable(one)), other && inOneOrder(comparable(other)))

/**
 * Returns whether one state can follow another. Other implementations may have additional states, which the check
 * accepts.
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

/** Returns the documented fields of a resource, without its links. */
const documentedFields = (cell: Cell, schema: string, resources: readonly (Json | undefined)[]): string[] => {
  const { document } = cell.version
  const properties = objectAt(flatten(document, document.follow(schema)), 'properties')
  const present = new Set(resources.flatMap((one) => Object.keys(isObject(one) ? one : {})))
  return Object.keys(properties).filter((name) => name !== 'links' && present.has(name))
}

/** A field that has different values in two responses. */
export interface DifferentField {
  readonly name: string
  /** The required fields of a response and the order of states are our decision. */
  readonly strength: Strength
}

export interface Compared {
  readonly cell: Cell
  readonly schema: string
  /** The fields that the request contained. */
  readonly sent: ReadonlySet<string>
}

/**
 * Returns the fields in which a resource differs from a later response. If the resource's state has changed
 * in the meantime, compares only fields that don't depend on the state.
 */
export const differentFields = (
  { cell, schema, sent }: Compared,
  earlier: Json | undefined,
  later: Json | undefined,
): DifferentField[] => {
  if (!isObject(earlier) || !isObject(later))
    return sameArray(earlier, later) ? [] : [{ name: '', strength: 'stated' }]
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

/** Returns whether a field has a value. Servers may leave out fields without a value. */
const hasValue = (value: Json | undefined): boolean =>
  value !== undefined && value !== null && !(isArray(value) && value.length === 0)

/** Returns whether a resource of this kind only changes when a request changes it. */
const isStateless = ({ cell, schema }: Compared): boolean => {
  const { document } = cell.version
  const names = Object.keys(objectAt(flatten(document, document.follow(schema)), 'properties'))
  return !names.some((name) => stateFields.has(name))
}

const aliases: ReadonlySet<string> = new Set(Object.values(shownAs))

/**
 * Returns the listed fields that the response to a change wrongly lacks, because a read right after the change shows
 * them. Omits fields that may get their value only after the response, when the state changes.
 */
export const missingFields = (
  compared: Compared,
  response: Json | undefined,
  { before, after }: { readonly before: Json | undefined; readonly after: Json | undefined },
): string[] => {
  const { cell, schema, sent } = compared
  if (!isObject(response)) return []
  const listed = new Set(listedNamesOf(cell))
  const isComplete = onCreate(cell) === true && isStateless(compared)
  const isKnown = (name: string): boolean =>
    isComplete ||
    lasting.has(name) ||
    (sent.has(name) && !aliases.has(name)) ||
    hasValue(fieldOf(before, name))
  return documentedFields(cell, schema, [after]).filter(
    (name) =>
      listed.has(name) &&
      !moving.has(name) &&
      fieldOf(response, name) === undefined &&
      hasValue(fieldOf(after, name)) &&
      isKnown(name),
  )
}

/** Returns the fields that differ even though they must never change. */
export const changedForever = (
  { cell, schema }: Compared,
  earlier: Json | undefined,
  later: Json | undefined,
  others: ReadonlySet<string> = new Set(),
): string[] =>
  documentedFields(cell, schema, [earlier]).filter(
    (name) => (lasting.has(name) || others.has(name)) && !same(fieldOf(earlier, name), fieldOf(later, name)),
  )

/** Returns the documented fields in which two responses differ. An empty name stands for the whole body. */
export const unequalFields = (
  { cell, schema }: Pick<Compared, 'cell' | 'schema'>,
  one: Json | undefined,
  other: Json | undefined,
): string[] => {
  if (!isObject(one) || !isObject(other)) return sameArray(one, other) ? [] : ['']
  return documentedFields(cell, schema, [one, other]).filter(
    (name) => !same(fieldOf(one, name), fieldOf(other, name)),
  )
}

/** Returns only the given fields, for a report. */
export const excerptOf = (resource: Json | undefined, names: readonly string[]): Json | undefined => {
  if (!isObject(resource)) return resource
  const fields: JsonObject = Object.fromEntries(
    names.flatMap((name) => (resource[name] === undefined ? [] : [[name, resource[name]]])),
  )
  return fields
}

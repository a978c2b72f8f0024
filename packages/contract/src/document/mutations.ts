import type { Document, SchemaLocation } from './document.ts'
import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  valueAt,
  withValue,
} from './json.ts'
import { anotherItem, flatten, isInOtherCase, pastBound, probesOf } from './probes.ts'
import { type Strength, weakest } from './strength.ts'
import { isClosed, strongest, type Validator } from './validator.ts'

/** A body that differs from a valid body in exactly one place. */
export interface Mutation {
  /** Names the field and the constraint, for example `/notifications maxItems+1`. */
  readonly label: string
  /** The location of the difference, as a JSON Pointer. */
  readonly at: string
  readonly kind: 'constraint' | 'missing' | 'unknown'
  readonly body: Json
  readonly valid: boolean
  /** The strength of the constraint that the value violates or only just meets. */
  readonly strength: Strength | undefined
}

interface Site {
  readonly place: SchemaLocation
  /** The node that refers to the schema. Its strengths take precedence over the schema's own. */
  readonly reference: JsonObject
  readonly path: readonly string[]
  readonly value: Json | undefined
  readonly optional: boolean
  /** A valid body that already contains the field, so that no other field contradicts it. */
  readonly body: Json
}

/** The specification doesn't describe fields that are nested more deeply. */
const deepest = 3

const pointerOf = (path: readonly string[]): string => path.map((token) => `/${token}`).join('')

interface Walk {
  readonly document: Document
  /** Valid bodies with different fields. */
  readonly bodies: readonly Json[]
}

/** Returns a valid body that has the field. If no such body exists, adds the schema's example to the given body. */
const withField = ({ bodies }: Walk, body: Json, path: readonly string[], field: SchemaLocation) => {
  const having = [body, ...bodies].find((one) => valueAt(one, pointerOf(path)) !== undefined)
  if (having !== undefined) return { body: having, value: valueAt(having, pointerOf(path)) }
  const example = listAt(field.value, 'examples')[0]
  return { body: example === undefined ? body : withValue(body, path, example), value: example }
}

const nodeAt = (document: Document, pointer: string): JsonObject => {
  const node = valueAt(document.root, pointer)
  return isObject(node) ? node : {}
}

/** Returns all fields in the schema, each with a valid body that contains it. */
const sitesOf = (walk: Walk, site: Site): Site[] => {
  const { place, path, value, body } = site
  const { document } = walk
  const schema = flatten(document, place)
  const sites: Site[] = path.length > 0 ? [site] : []
  if (path.length >= deepest) return sites
  for (const name of Object.keys(objectAt(schema, 'properties'))) {
    const pointer = `${place.pointer}/properties/${name}`
    const field = document.follow(pointer)
    const reference = nodeAt(document, pointer)
    const own = [...path, name]
    const optional = !listAt(schema, 'required').includes(name)
    const valued = withField(walk, body, own, field)
    sites.push(...sitesOf(walk, { place: field, reference, path: own, optional, ...valued }))
  }
  if (schema.items !== undefined && isArray(value) && value.length > 0) {
    const pointer = `${place.pointer}/items`
    const [items, reference] = [document.follow(pointer), nodeAt(document, pointer)]
    const own = [...path, '0']
    const item = { place: items, reference, path: own, optional: false, value: value[0], body }
    sites.push(...sitesOf(walk, item))
  }
  return sites
}

/**
 * Returns a body with the given value. Prefers a body that already has the value, because adding the value
 * could contradict other fields.
 */
const changedTo = ({ bodies }: Walk, { body, path }: Site, value: Json): Json =>
  bodies.find((one) => valueAt(one, pointerOf(path)) === value) ?? withValue(body, path, value)

/** Returns the schema with the strengths that apply where it's used. */
const schemaAt = ({ document }: Walk, { place, reference }: Site): JsonObject => {
  const schema = flatten(document, place)
  const strength = reference['x-strength'] ?? schema['x-strength']
  const decided = { ...objectAt(schema, 'x-decided'), ...objectAt(reference, 'x-decided') }
  return { ...schema, 'x-decided': decided, ...(strength !== undefined && { 'x-strength': strength }) }
}

const constraintsAt = (walk: Walk, site: Site): Mutation[] =>
  probesOf(schemaAt(walk, site), site.value)
    // `null` may be valid in an optional field, because it may mean the same as omitting the field.
    .filter(({ value }) => value !== null || !site.optional)
    .map((probe) => ({
      label: `${pointerOf(site.path)} ${probe.label}`,
      at: pointerOf(site.path),
      kind: 'constraint',
      body: changedTo(walk, site, probe.value),
      valid: probe.valid,
      strength: probe.strength,
    }))

const fieldsAt = (document: Document, { body, place, path }: Site): Mutation[] => {
  const schema = flatten(document, place)
  const strength = undefined
  const missing = listAt(schema, 'required').map(String)
  const mutations: Mutation[] = missing.map((name) => ({
    label: `${pointerOf([...path, name])} missing`,
    at: pointerOf([...path, name]),
    kind: 'missing',
    body: withValue(body, [...path, name], undefined),
    valid: false,
    strength,
  }))
  if (isClosed(schema))
    mutations.push({
      label: `${pointerOf([...path, 'noSuchField'])} unknown`,
      at: pointerOf([...path, 'noSuchField']),
      kind: 'unknown',
      body: withValue(body, [...path, 'noSuchField'], 1),
      valid: false,
      strength,
    })
  return mutations
}

/** A mutation that might turn out to be inconsistent with the schema. */
interface Candidate extends Mutation {
  /** The body must be valid without the invalid item. Otherwise, the mutation would have more than one error. */
  readonly basis?: Json
}

/**
 * Returns mutations that put the invalid item after a valid one, because a server might validate only the first item.
 * Each field has one mutation. A value that is out of bounds or has the wrong format takes precedence over a value of
 * the wrong type.
 */
const inSecondItem = (sites: readonly Site[], all: readonly Mutation[]): Candidate[] => {
  const bodyAt = new Map(sites.map(({ path, body }) => [pointerOf(path), body]))
  const chosen = new Map<string, Mutation>()
  for (const mutation of all.filter(({ valid }) => !valid)) {
    const known = chosen.get(mutation.at)
    if (known === undefined || / type /.test(known.label)) chosen.set(mutation.at, mutation)
  }
  const bases = new Map<string, Json>()
  return [...chosen.values()].flatMap((mutation): Candidate[] => {
    const [, list = '', rest = ''] = /^(.*?)\/0(\/.*)?$/.exec(mutation.at) ?? []
    const whole = bodyAt.get(`${list}/0`)
    const [first] = listOf(whole, list)
    const [changed] = listOf(mutation.body, list)
    if (whole === undefined || first === undefined || changed === undefined) return []
    const withSecond = (second: Json): Json => withValue(whole, list.split('/').slice(1), [first, second])
    // Mutations of the same list share a basis, which is validated only once.
    const basis = bases.get(list) ?? withSecond(anotherItem(first, 1))
    bases.set(list, basis)
    const body = withSecond(rest === '/name' ? changed : anotherItem(changed, 1))
    const moved = (text: string): string => text.replace(`${list}/0`, `${list}/1`)
    return [{ ...mutation, label: moved(mutation.label), at: moved(mutation.at), body, basis }]
  })
}

const listOf = (body: Json | undefined, pointer: string): readonly Json[] => {
  const list = body === undefined ? undefined : valueAt(body, pointer)
  return isArray(list) ? list : []
}

const candidatesOf = (
  document: Document,
  schema: SchemaLocation,
  bodies: readonly Json[],
): ReadonlyMap<string, Candidate> => {
  const [first] = bodies
  if (first === undefined) return new Map()
  const walk = { document, bodies }
  const root: Site = { place: schema, reference: {}, path: [], optional: false, value: first, body: first }
  const sites = sitesOf(walk, root)
  const objects = [root, ...sites.filter(({ value }) => isObject(value))]
  const all = [
    ...sites.flatMap((site) => constraintsAt(walk, site)),
    ...objects.flatMap((site) => fieldsAt(document, site)),
  ]
  return new Map([...all, ...inSecondItem(sites, all)].map((mutation) => [mutation.label, mutation]))
}

/**
 * Returns the mutations that `wanted` selects. Compiling a schema takes time, so only selected mutations are validated.
 */
export type Mutations = (wanted: (mutation: Omit<Mutation, 'strength'>) => boolean) => Iterable<Mutation>

/**
 * Returns the valid and invalid bodies that differ from a valid body in one place. If the schema contradicts
 * a mutation's label, the mutation is omitted, because the document takes precedence.
 *
 * @param bodies Valid bodies. A mutation changes the first body, unless only another body has the field.
 */
export const mutationsOf = (
  document: Document,
  validator: Validator,
  schema: SchemaLocation,
  bodies: readonly Json[],
): Mutations => {
  const candidates = candidatesOf(document, schema, bodies)
  const judged = new Map<Candidate, Mutation | undefined>()
  const judge = (candidate: Candidate): Mutation | undefined => {
    const { basis, ...mutation } = candidate
    if (basis !== undefined && validator.check(schema.pointer, basis).length > 0) return undefined
    const schemaErrors = validator.check(schema.pointer, mutation.body)
    if ((schemaErrors.length === 0) !== mutation.valid) return undefined
    if (!mutation.valid) {
      const strength = strongest(schemaErrors)?.strength
      return { ...mutation, strength: isInOtherCase(mutation) ? weakest(strength, 'decided') : strength }
    }
    // A bound is a single fact.
    // Therefore, a violation has the same strength whether the server rejects the bound or accepts the next value.
    const past = pastBound(mutation.label)
    const pastStrength = past === mutation.label ? undefined : known(past)?.strength
    return { ...mutation, strength: weakest(mutation.strength, pastStrength) }
  }
  const known = (label: string): Mutation | undefined => {
    const candidate = candidates.get(label)
    if (candidate === undefined) return undefined
    if (!judged.has(candidate)) judged.set(candidate, judge(candidate))
    return judged.get(candidate)
  }
  return function* (wanted) {
    for (const candidate of candidates.values()) {
      const mutation = wanted(candidate) ? known(candidate.label) : undefined
      if (mutation) yield mutation
    }
  }
}

import type { Document, SchemaLocation } from './document.ts'
import { isArray, isObject, type Json, listAt, objectAt, valueAt, withValue } from './json.ts'
import { anotherItem, flatten, pastBound, probesOf } from './probes.ts'
import { type Strength, weakest } from './strength.ts'
import { isClosed, strongest, type Validator } from './validator.ts'

/** A body that differs from a valid body in exactly one way. */
export interface Mutation {
  /** The field and the constraint, for example `/notifications maxItems+1`. */
  readonly label: string
  /** A JSON Pointer to the difference. */
  readonly at: string
  readonly kind: 'constraint' | 'missing' | 'unknown'
  readonly body: Json
  readonly valid: boolean
  /** The strength of the constraint that the value violates or barely meets. */
  readonly strength: Strength | undefined
}

interface Site {
  readonly place: SchemaLocation
  readonly path: readonly string[]
  readonly value: Json | undefined
  /** Whether the field is optional. */
  readonly optional: boolean
  /** A valid body that contains the field, so that the other fields are consistent with it. */
  readonly body: Json
}

/** The specification doesn't describe fields below this depth. */
const deepest = 3

const pointerOf = (path: readonly string[]): string => path.map((token) => `/${token}`).join('')

interface Walk {
  readonly document: Document
  /** Valid bodies. Each body may have fields that the others lack. */
  readonly bodies: readonly Json[]
}

/**
 * A valid body with the given field. Either the body already has the field, or the schema's example is added to it.
 */
const withField = ({ bodies }: Walk, body: Json, path: readonly string[], field: SchemaLocation) => {
  const having = [body, ...bodies].find((one) => valueAt(one, pointerOf(path)) !== undefined)
  if (having !== undefined) return { body: having, value: valueAt(having, pointerOf(path)) }
  const example = listAt(field.value, 'examples')[0]
  return { body: example === undefined ? body : withValue(body, path, example), value: example }
}

/** All fields in the schema, each with a valid body. */
const sitesOf = (walk: Walk, site: Site): Site[] => {
  const { place, path, value, body } = site
  const { document } = walk
  const schema = flatten(document, place)
  const sites: Site[] = path.length > 0 ? [site] : []
  if (path.length >= deepest) return sites
  for (const name of Object.keys(objectAt(schema, 'properties'))) {
    const field = document.follow(`${place.pointer}/properties/${name}`)
    const own = [...path, name]
    const optional = !listAt(schema, 'required').includes(name)
    sites.push(...sitesOf(walk, { place: field, path: own, optional, ...withField(walk, body, own, field) }))
  }
  if (schema.items !== undefined && isArray(value) && value.length > 0) {
    const items = document.follow(`${place.pointer}/items`)
    const own = [...path, '0']
    sites.push(...sitesOf(walk, { place: items, path: own, optional: false, value: value[0], body }))
  }
  return sites
}

/** Prefer a body that already has the field, because adding it to another body could contradict other fields. */
const changedTo = ({ bodies }: Walk, { body, path }: Site, value: Json): Json =>
  bodies.find((one) => valueAt(one, pointerOf(path)) === value) ?? withValue(body, path, value)

const constraintsAt = (walk: Walk, site: Site): Mutation[] =>
  probesOf(flatten(walk.document, site.place), site.value)
    // In optional fields, `null` may mean the same as omitting the field.
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

/** A mutation that may contradict the schema. */
interface Candidate extends Mutation {
  /** A body that must be valid. Otherwise, the mutation differs from a valid body in more than one way. */
  readonly basis?: Json
}

/**
 * The same invalid item after a valid one, because an implementation might validate only the first item. There is one
 * mutation for each field, which violates the field's bounds, values or pattern rather than its type, if it has any.
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
    // All mutations of a list share the basis, so that it is validated only once.
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
  const root: Site = { place: schema, path: [], optional: false, value: first, body: first }
  const sites = sitesOf(walk, root)
  const objects = [root, ...sites.filter(({ value }) => isObject(value))]
  const all = [
    ...sites.flatMap((site) => constraintsAt(walk, site)),
    ...objects.flatMap((site) => fieldsAt(document, site)),
  ]
  return new Map([...all, ...inSecondItem(sites, all)].map((mutation) => [mutation.label, mutation]))
}

/**
 * Selects mutations. Each one is validated only when it is needed, because compiling a schema takes time. Its strength
 * isn't known before.
 */
export type Mutations = (wanted: (mutation: Omit<Mutation, 'strength'>) => boolean) => Iterable<Mutation>

/**
 * All valid and invalid bodies that differ from a valid body in one way. Omits a body if the schema contradicts its
 * label, because the document takes precedence.
 *
 * @param bodies Valid bodies. The changes apply to the first body, unless only another body has the field.
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
    if (!mutation.valid) return { ...mutation, strength: strongest(schemaErrors)?.strength }
    // Accepting the value at a bound and rejecting the value past it have the same strength.
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

import { type Strength, weakest } from '../engine/verdict.ts'
import type { Document, Place } from './document.ts'
import { isArray, isObject, type Json, listAt, objectAt, valueAt, withValue } from './json.ts'
import { flatten, pastBound, probesOf } from './probes.ts'
import { gravest, isClosed, type Validator } from './validator.ts'

/** A body in which one thing differs from a good one. */
export interface Mutation {
  /** Member and constraint, such as `/notifications maxItems+1`. */
  readonly label: string
  /** JSON Pointer to what differs. */
  readonly at: string
  readonly kind: 'constraint' | 'missing' | 'unknown'
  readonly body: Json
  readonly valid: boolean
  /** Strength of the constraint that it breaks, or is at the bound of. */
  readonly strength: Strength | undefined
}

interface Site {
  readonly place: Place
  readonly path: readonly string[]
  readonly value: Json | undefined
  /** A good body that has the member, so that no other member contradicts it. */
  readonly body: Json
}

/** Deeper members are of shapes that the source does not show. */
const deepest = 3

const pointerOf = (path: readonly string[]): string => path.map((token) => `/${token}`).join('')

interface Walk {
  readonly document: Document
  /** Good bodies; what one of them lacks may be in another. */
  readonly bodies: readonly Json[]
}

/** A good body with a member: one that has it anyway, or the given one with the schema's own example put in. */
const withField = ({ bodies }: Walk, body: Json, path: readonly string[], field: Place) => {
  const having = [body, ...bodies].find((one) => valueAt(one, pointerOf(path)) !== undefined)
  if (having !== undefined) return { body: having, value: valueAt(having, pointerOf(path)) }
  const example = listAt(field.value, 'examples')[0]
  return { body: example === undefined ? body : withValue(body, path, example), value: example }
}

/** Every member that the schema describes, in a body that is good. */
const sitesOf = (walk: Walk, { place, path, value, body }: Site): Site[] => {
  const { document } = walk
  const schema = flatten(document, place)
  const sites: Site[] = path.length > 0 ? [{ place, path, value, body }] : []
  if (path.length >= deepest) return sites
  for (const name of Object.keys(objectAt(schema, 'properties'))) {
    const field = document.follow(`${place.pointer}/properties/${name}`)
    const own = [...path, name]
    sites.push(...sitesOf(walk, { place: field, path: own, ...withField(walk, body, own, field) }))
  }
  if (schema.items !== undefined && isArray(value) && value.length > 0) {
    const items = document.follow(`${place.pointer}/items`)
    sites.push(...sitesOf(walk, { place: items, path: [...path, '0'], value: value[0], body }))
  }
  return sites
}

/** A good body that has the value already is better than one in which other members may not go with it. */
const changedTo = ({ bodies }: Walk, { body, path }: Site, value: Json): Json =>
  bodies.find((one) => valueAt(one, pointerOf(path)) === value) ?? withValue(body, path, value)

const constraintsAt = (walk: Walk, site: Site): Mutation[] =>
  probesOf(flatten(walk.document, site.place), site.value).map((probe) => ({
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

/**
 * Every way to change one thing in a good body that the schema of the document tells apart. What the schema would
 * judge otherwise than the label says is left out: the kit never trusts itself more than the document.
 *
 * @param bodies good ones. The first is changed, unless another one has the member and it has not.
 */
export const mutationsOf = (
  document: Document,
  validator: Validator,
  schema: Place,
  bodies: readonly Json[],
): Mutation[] => {
  const [first] = bodies
  if (first === undefined) return []
  const walk = { document, bodies }
  const root: Site = { place: schema, path: [], value: first, body: first }
  const sites = sitesOf(walk, root)
  const objects = [root, ...sites.filter(({ value }) => isObject(value))]
  const all = [
    ...sites.flatMap((site) => constraintsAt(walk, site)),
    ...objects.flatMap((site) => fieldsAt(document, site)),
  ]
  const unique = [...new Map(all.map((mutation) => [mutation.label, mutation])).values()]
  const judged = unique.flatMap((mutation) => {
    const misfits = validator.check(schema.pointer, mutation.body)
    if ((misfits.length === 0) !== mutation.valid) return []
    return mutation.valid ? [mutation] : [{ ...mutation, strength: gravest(misfits)?.strength }]
  })
  const strengths = new Map(judged.map(({ label, strength }) => [label, strength]))
  // A bound binds on either side alike: what is at it has to be taken no more than what is past it, refused.
  return judged.map((mutation) =>
    mutation.valid
      ? { ...mutation, strength: weakest(mutation.strength, strengths.get(pastBound(mutation.label))) }
      : mutation,
  )
}

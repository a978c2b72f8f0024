import type { Strength } from '../engine/verdict.ts'
import type { Document, Place } from './document.ts'
import { isArray, isObject, type Json, listAt, objectAt, withValue } from './json.ts'
import { flatten, probesOf } from './probes.ts'
import { isClosed, type Validator } from './validator.ts'

/** A body in which one thing differs from a good one. */
export interface Mutation {
  /** Member and constraint, such as `/notifications maxItems+1`. */
  readonly label: string
  /** JSON Pointer to what differs. */
  readonly at: string
  readonly kind: 'constraint' | 'missing' | 'unknown'
  readonly body: Json
  readonly valid: boolean
  readonly strength: Strength | undefined
}

interface Site {
  readonly place: Place
  readonly path: readonly string[]
  readonly value: Json | undefined
}

/** Deeper members are of shapes that the source does not show. */
const deepest = 3

/** Every member that the schema describes, in a body that is good. */
const sitesOf = (
  document: Document,
  place: Place,
  value: Json | undefined,
  path: readonly string[],
): Site[] => {
  const schema = flatten(document, place)
  const sites: Site[] = path.length > 0 ? [{ place, path, value }] : []
  if (path.length >= deepest) return sites
  for (const name of Object.keys(objectAt(schema, 'properties'))) {
    const member = document.follow(`${place.pointer}/properties/${name}`)
    const present = isObject(value) ? value[name] : undefined
    const example = present ?? (listAt(member.value, 'examples')[0] as Json | undefined)
    sites.push(...sitesOf(document, member, example, [...path, name]))
  }
  if (schema.items !== undefined && isArray(value) && value.length > 0)
    sites.push(...sitesOf(document, document.follow(`${place.pointer}/items`), value[0], [...path, '0']))
  return sites
}

const pointerOf = (path: readonly string[]): string => path.map((token) => `/${token}`).join('')

const constraintsAt = (document: Document, body: Json, { place, path, value }: Site): Mutation[] =>
  probesOf(flatten(document, place), value).map((probe) => ({
    label: `${pointerOf(path)} ${probe.label}`,
    at: pointerOf(path),
    kind: 'constraint',
    body: withValue(body, path, probe.value),
    valid: probe.valid,
    strength: probe.strength,
  }))

const membersAt = (document: Document, body: Json, place: Place, path: readonly string[]): Mutation[] => {
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
      label: `${pointerOf([...path, 'noSuchMember'])} unknown`,
      at: pointerOf([...path, 'noSuchMember']),
      kind: 'unknown',
      body: withValue(body, [...path, 'noSuchMember'], 1),
      valid: false,
      strength,
    })
  return mutations
}

/**
 * Every way to change one thing in a good body that the schema of the document tells apart. What the schema would
 * judge otherwise than the label says is left out: the kit never trusts itself more than the document.
 */
export const mutationsOf = (
  document: Document,
  validator: Validator,
  schema: Place,
  body: Json,
): Mutation[] => {
  const sites = sitesOf(document, schema, body, [])
  const objects: Site[] = [
    { place: schema, path: [], value: body },
    ...sites.filter(({ value }) => isObject(value)),
  ]
  const all = [
    ...sites.flatMap((site) => constraintsAt(document, body, site)),
    ...objects.flatMap(({ place, path }) => membersAt(document, body, place, path)),
  ]
  const unique = [...new Map(all.map((mutation) => [mutation.label, mutation])).values()]
  return unique.filter(
    (mutation) => (validator.check(schema.pointer, mutation.body).length === 0) === mutation.valid,
  )
}

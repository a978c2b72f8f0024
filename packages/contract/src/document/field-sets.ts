import type { Document, SchemaLocation } from './document.ts'
import { isObject, type Json, listAt, objectAt, sameJson, valueAt, withValue } from './json.ts'
import { flatten } from './probes.ts'
import type { Validator } from './validator.ts'

/** An optional field in a body, with valid values. */
export interface OptionalField {
  readonly path: readonly string[]
  readonly name: string
  /** At least one valid value, excluding the field's default. */
  readonly values: readonly [Json, ...Json[]]
  readonly default: Json | undefined
}

/** The optional fields of one object in a body. Checks send these fields in different combinations. */
export interface FieldGroup {
  /** A valid body that has none of these fields. */
  readonly base: Json
  readonly fields: readonly [OptionalField, ...OptionalField[]]
  /** Whether the object is the body itself. */
  readonly isOuter: boolean
}

const pointerOf = (path: readonly string[]): string => path.map((name) => `/${name}`).join('')

const distinct = (values: readonly Json[]): Json[] =>
  values.filter((value, index) => values.findIndex((other) => sameJson(other, value)) === index)

interface Source {
  readonly document: Document
  readonly validator: Validator
  readonly bodies: readonly Json[]
}

const fieldAt = (
  { document, validator, bodies }: Source,
  place: SchemaLocation,
  path: readonly string[],
): OptionalField | undefined => {
  const name = path.at(-1) ?? ''
  const schema = flatten(document, place)
  const shown = bodies.flatMap((body) => valueAt(body, pointerOf(path)) ?? [])
  const possible: readonly Json[] = [
    ...listAt(schema, 'examples'),
    ...shown,
    ...listAt(schema, 'enum'),
    ...(schema.type === 'boolean' ? [true, false] : []),
  ]
  const [first, ...others] = distinct(possible).filter(
    (value) => !sameJson(value, schema.default) && validator.check(place.pointer, value).length === 0,
  )
  return first === undefined ? undefined : { path, name, values: [first, ...others], default: schema.default }
}

interface Site {
  readonly place: SchemaLocation
  readonly path: readonly string[]
  readonly body: Json
}

const isField = (field: OptionalField | undefined): field is OptionalField => field !== undefined

const groupAt = (
  source: Source,
  { place, path, body }: Site,
  isLeftOut: (name: string) => boolean,
): FieldGroup | undefined => {
  const { document } = source
  const schema = flatten(document, place)
  const names = Object.keys(objectAt(schema, 'properties')).filter(
    (name) => !listAt(schema, 'required').includes(name) && !isLeftOut(name),
  )
  const [first, ...others] = names
    .map((name) => fieldAt(source, document.follow(`${place.pointer}/properties/${name}`), [...path, name]))
    .filter(isField)
  if (first === undefined) return undefined
  const base = names.reduce<Json>(
    (before, name) =>
      isObject(valueAt(before, pointerOf(path))) ? withValue(before, [...path, name], undefined) : before,
    body,
  )
  return { base, fields: [first, ...others], isOuter: path.length === 0 }
}

/** Returns the objects in a body that have a schema with properties. */
const objectsIn = (source: Source, { place, path, body }: Site): Site[] => {
  const schema = flatten(source.document, place)
  return Object.keys(objectAt(schema, 'properties')).flatMap((name) => {
    const own = [...path, name]
    const inner = source.document.follow(`${place.pointer}/properties/${name}`)
    const has = isObject(valueAt(body, pointerOf(own)))
    return has && isObject(flatten(source.document, inner).properties)
      ? [{ place: inner, path: own, body }]
      : []
  })
}

/**
 * Returns the optional fields of the body and of each object in it. If the body isn't an object,
 * it has no optional fields.
 *
 * @param isLeftOut Whether the operation ignores a field of the body.
 */
export const fieldGroupsOf = (
  document: Document,
  validator: Validator,
  schema: SchemaLocation,
  bodies: readonly Json[],
  isLeftOut: (name: string) => boolean,
): FieldGroup[] => {
  const [body] = bodies
  if (!isObject(body)) return []
  const source = { document, validator, bodies }
  const root: Site = { place: schema, path: [], body }
  const outer = groupAt(source, root, isLeftOut)
  const inner = objectsIn(source, root).flatMap((site) => groupAt(source, site, () => false) ?? [])
  return [...(outer ? [outer] : []), ...inner.filter(({ fields }) => fields.length > 1)]
}

/** The optional fields that a body contains. */
export type FieldSet = readonly OptionalField[]

/**
 * Returns sets in which each field occurs with and without every other field: no fields, each field alone, and all
 * fields.
 */
export const fieldSets = ({ fields }: FieldGroup): FieldSet[] =>
  fields.length === 1 ? [[], fields] : [[], ...fields.map((field) => [field]), fields]

/** Returns the pairs of fields. Checks send pairs if a target doesn't accept all fields together. */
export const fieldPairs = ({ fields }: FieldGroup, most: number): FieldSet[] =>
  fields.length < 3
    ? []
    : fields
        .flatMap((field, index) => fields.slice(index + 1).map((other): FieldSet => [field, other]))
        .slice(0, most)

const isBoolean = ({ values: [value] }: OptionalField): boolean => typeof value === 'boolean'

/**
 * Returns sets in which two boolean fields have different values. These sets reveal servers that store one field's
 * value in the other field.
 */
export const oppositeFlags = ({ fields }: FieldGroup): FieldSet[] => {
  const flags = fields.filter(isBoolean)
  return flags.flatMap((flag) =>
    flags
      .filter((other) => other !== flag)
      .map(
        (other): FieldSet => [
          { ...flag, values: [true] },
          { ...other, values: [false] },
        ],
      ),
  )
}

/**
 * For each field, returns a set that gives every field a value, and then a set that changes only this field. These sets
 * show whether a partial update resets other fields. Booleans start as true, because most of them are false by default.
 */
export const changesOfFull = ({ fields }: FieldGroup): FieldSet[] => {
  const full = fields.map((field): OptionalField => {
    const [first] = field.values
    return { ...field, values: [typeof first === 'boolean' && field.values.includes(true) ? true : first] }
  })
  return fields.flatMap((field): FieldSet[] => {
    const [first, second = first] = field.values
    return [full, [{ ...field, values: [typeof first === 'boolean' ? false : second] }]]
  })
}

/**
 * Returns a set in which all booleans are false, followed by sets with only one field. Before each boolean, the other
 * booleans are set to false again. These sets show whether an update turns on a flag that the body omits.
 */
export const changesOfFalse = ({ fields }: FieldGroup): FieldSet[] => {
  const flags = fields.filter(isBoolean)
  if (flags.length === 0 || fields.length === 1) return []
  const off = flags.map((flag): OptionalField => ({ ...flag, values: [false] }))
  const others = fields.filter((field) => !isBoolean(field)).map((field): FieldSet => [field])
  return [off, ...others, ...flags.flatMap((flag): FieldSet[] => [off, [{ ...flag, values: [true] }]])]
}

/** Returns the body with the given fields. In each round, the fields have different values. */
export const bodyWith = ({ base }: FieldGroup, set: FieldSet, round = 0): Json =>
  set.reduce<Json>(
    (body, { path, values }) => withValue(body, path, values[round % values.length] ?? null),
    base,
  )

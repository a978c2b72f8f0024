import type { Document, SchemaLocation } from '../../src/document/document.ts'
import { isArray, isObject, type Json, objectAt, stringAt, withValue } from '../../src/document/json.ts'
import { flatten } from '../../src/document/probes.ts'
import type { Cell } from '../../src/model/api.ts'
import { listedFields } from '../../src/resources/listed-fields.ts'
import { isSuccess, mapJson, onResponse, perCell } from '../mutant.ts'

interface Field {
  /** The path from the root of the body. `0` stands for the first item in a list. */
  readonly path: readonly string[]
  readonly type: string
  readonly required: boolean
}

/** The maximum nesting depth to test. The specification doesn't define schemas for deeper fields. */
const deepest = 3

const fieldsOf = (
  document: Document,
  place: SchemaLocation,
  path: readonly string[],
  required: boolean,
): Field[] => {
  const schema = flatten(document, place)
  const type = stringAt(schema, 'type') ?? ''
  const own = path.length > 0 && type !== '' && path.at(-1) !== '0' ? [{ path, type, required }] : []
  if (path.length >= deepest) return own
  const needed = isArray(schema.required) ? schema.required : []
  const below = Object.keys(objectAt(schema, 'properties')).flatMap((name) =>
    fieldsOf(
      document,
      document.follow(`${place.pointer}/properties/${name}`),
      [...path, name],
      needed.includes(name),
    ),
  )
  const items =
    schema.items === undefined
      ? []
      : fieldsOf(document, document.follow(`${place.pointer}/items`), [...path, '0'], true)
  return [...own, ...below, ...items]
}

const successFields = ({ version, definition, row }: Cell): Field[] => {
  const place = definition.responses.get(row.success)?.content.get(row.mediaType)
  return place === undefined ? [] : fieldsOf(version.document, place, [], false)
}

const has = (value: Json | undefined, path: readonly string[]): boolean => {
  let at: Json | undefined = value
  for (const key of path) {
    if (isArray(at)) at = at[Number(key)]
    else at = isObject(at) ? at[key] : undefined
    if (at === undefined) return false
  }
  return true
}

const changing = (path: readonly string[], value: Json | undefined) =>
  onResponse(isSuccess, (response) =>
    mapJson(response, (body) => (has(body, path) ? withValue(body, path, value) : body)),
  )

const wrong: Readonly<Record<string, Json>> = {
  string: 7,
  integer: 'seven',
  number: 'seven',
  boolean: 'true',
  array: { not: 'a list' },
  object: ['not an object'],
}

const hints = ({ operation }: Cell, judge: 'errors.body-valid' | 'errors.body-complete') =>
  operation.security === 'api'
    ? (['errors.success-status', judge] as const)
    : (['issueToken.answers-with-token'] as const)

/** Removes a required field from a successful response. */
export const dropRequired = perCell('drop required member', (cell) =>
  successFields(cell)
    .filter(({ required }) => required)
    .map(({ path }) => ({
      what: `/${path.join('/')}`,
      hints: hints(cell, 'errors.body-complete'),
      make: changing(path, undefined),
    })),
)

/** Removes a field from a resource in the response, even though the stored resource has a value for the field. */
export const dropListed = perCell('drop listed member', (cell) =>
  listedFields(cell).map((name) => ({
    what: `/${name}`,
    hints: ['resources.listed-fields' as const],
    make: changing([name], undefined),
  })),
)

/** Changes a field in a successful response to a value of the wrong type. */
export const wrongType = perCell('wrong type of member', (cell) =>
  successFields(cell).map(({ path, type }) => ({
    what: `/${path.join('/')}`,
    hints: hints(cell, 'errors.body-valid'),
    make: changing(path, wrong[type] ?? null),
  })),
)

import { type Json, listAt, valueAt } from '../document/json.ts'
import { flatten } from '../document/probes.ts'
import { parseTimestamp } from '../document/timestamp.ts'
import { type Cell, ignoredFieldsOf } from '../model/api.ts'
import { unusedId } from './own-resources.ts'

/** A read-only field of the resource that an operation creates or changes. */
export interface ReadOnlyField {
  readonly name: string
  /** Returns values to send. If there is only one value, no server would choose this value by itself. */
  readonly values: () => readonly [Json, ...Json[]]
}

/** Returns whether a value is an ID that can be replaced with an unknown ID. */
const isIdentifier = (value: Json): boolean => typeof value === 'string' && /^[\da-f]{24}$/.test(value)

const longAgo = '2001-02-03T04:05:06Z'

const valuesLike = (example: Json, known: readonly Json[]): readonly [Json, ...Json[]] => {
  const [first, second] = known
  if (first !== undefined && second !== undefined) return [first, second]
  if (isIdentifier(example)) return [unusedId()]
  if (typeof example === 'boolean') return [example, !example]
  if (typeof example === 'number') return [example, example + 1]
  if (typeof example === 'string') return [parseTimestamp(example) === undefined ? `${example}2` : longAgo]
  return [example, Array.isArray(example) ? [] : {}]
}

/** Returns the resource's read-only fields that have an example in the documentation. */
export const readOnlyFieldsOf = (cell: Cell): ReadOnlyField[] => {
  const success = cell.definition.responses.get(cell.row.success)?.content.get(cell.row.mediaType)
  if (success === undefined) return []
  const { document } = cell.version
  return ignoredFieldsOf(cell).flatMap((name): ReadOnlyField[] => {
    const at = `${success.pointer}/properties/${name}`
    const schema = flatten(document, document.follow(at))
    const [example] = [valueAt(document.root, at), schema].flatMap((one) => listAt(one, 'examples'))
    const known = [...listAt(schema, 'enum'), ...listAt(schema, 'x-known-values')]
    return example === undefined ? [] : [{ name, values: () => valuesLike(example, known) }]
  })
}

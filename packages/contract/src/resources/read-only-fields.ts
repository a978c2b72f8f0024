import { isIdentifier } from '../document/identifier.ts'
import { type Json, listAt, valueAt } from '../document/json.ts'
import { flatten } from '../document/probes.ts'
import { parseTimestamp } from '../document/timestamp.ts'
import { type Cell, ignoredFieldsOf, successSchemaOf } from '../model/api.ts'
import { unusedId } from './own-resources.ts'

/** A read-only field of the resource that an operation creates or changes. */
export interface ReadOnlyField {
  readonly name: string
  /** Returns values to send. If there is only one value, no server would choose this value by itself. */
  readonly values: () => readonly [Json, ...Json[]]
}

const longAgo = '2001-02-03T04:05:06Z'

const valuesLike = (example: Json, known: readonly Json[]): readonly [Json, ...Json[]] => {
  const [first, second] = known
  if (first !== undefined && second !== undefined) return [first, second]
  if (typeof example === 'string' && isIdentifier(example)) return [unusedId()]
  if (typeof example === 'boolean') return [example, !example]
  if (typeof example === 'number') return [example, example + 1]
  if (typeof example === 'string') return [parseTimestamp(example) === undefined ? `${example}2` : longAgo]
  return [example, Array.isArray(example) ? [] : {}]
}

/** Returns the resource's read-only fields that have an example in the documentation. */
export const readOnlyFieldsOf = (cell: Cell): ReadOnlyField[] => {
  const success = successSchemaOf(cell)
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

import { isObject, type JsonObject, listAt, objectAt } from '../document/json.ts'
import type { Cell } from '../engine/api.ts'

/** Values that an enumeration of a document has. */
export const valuesOf = ({ version }: Cell, schema: string): string[] =>
  listAt(version.document.follow(`/components/schemas/${schema}`).value, 'enum').map(String)

/** One example of each kind of a union that is told by its type. */
export const kindsOf = ({ version }: Cell, schema: string): JsonObject[] => {
  const { value, pointer } = version.document.follow(`/components/schemas/${schema}`)
  return listAt(value, 'oneOf').flatMap((_, index) => {
    const kind = version.document.follow(`${pointer}/oneOf/${index}`).value
    const example = listAt(kind, 'examples')[0]
    return isObject(example)
      ? [example]
      : [{ type: objectAt(objectAt(kind, 'properties'), 'type').const ?? null }]
  })
}

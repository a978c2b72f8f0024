import type { OperationId } from '@svc-admin/types'
import type { Trial } from '../check/trial.ts'
import { isObject, type Json, type JsonObject, listAt, objectAt } from '../document/json.ts'
import { type Cell, successSchemaOf } from '../model/api.ts'
import { only, without } from './successful-response.ts'

/** Returns the values that the document's enumeration contains. */
export const valuesOf = ({ version }: Cell, schema: string): string[] =>
  listAt(version.document.follow(`/components/schemas/${schema}`).value, 'enum').map(String)

/** Returns an example of each type in a union with a `type` discriminator. */
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

/**
 * Returns the documented fields of an operation's response, except the given fields. Additional fields are excluded,
 * because their values can differ in every response.
 */
export const knownOf = (
  { cell, context }: Trial,
  operation: OperationId,
  response: Json | undefined,
  ...but: readonly string[]
): JsonObject => {
  const versions = context.api.cells.filter((one) => one.operation.id === operation)
  const schema = successSchemaOf(context.api.cell(operation, cell.version.id) ?? versions.at(-1) ?? cell)
  return without(only(response, ...Object.keys(objectAt(schema?.value, 'properties'))), ...but)
}

import { objectAt, stringAt } from '../document/json.ts'
import { flatten } from '../document/probes.ts'
import { type Cell, successSchemaOf } from './api.ts'

/**
 * Returns the fields that the specification source lists for the operation's successful response, even if the source
 * omits their types.
 */
export const listedNamesOf = (cell: Cell): string[] => {
  const place = successSchemaOf(cell)
  const properties = place ? objectAt(flatten(cell.version.document, place), 'properties') : {}
  return Object.entries(properties).flatMap(([name, field]) =>
    stringAt(field, 'x-strength') === 'open' ? [] : [name],
  )
}

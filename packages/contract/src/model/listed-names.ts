import { objectAt, stringAt } from '../document/json.ts'
import { flatten } from '../document/probes.ts'
import type { Cell } from './api.ts'

/**
 * Returns the fields that the specification source lists for the operation's successful response, even if the source
 * omits their types.
 */
export const listedNamesOf = ({ definition, row, version }: Cell): string[] => {
  const place = definition.responses.get(row.success)?.content.get(row.mediaType)
  const properties = place ? objectAt(flatten(version.document, place), 'properties') : {}
  return Object.entries(properties).flatMap(([name, field]) =>
    stringAt(field, 'x-strength') === 'open' ? [] : [name],
  )
}

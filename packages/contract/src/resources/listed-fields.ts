import { onApi, onRead } from '../check/rule.ts'
import { examplesOf } from '../document/document.ts'
import { isObject, objectAt } from '../document/json.ts'
import { flatten } from '../document/probes.ts'
import { isStrength, type Strength } from '../document/strength.ts'
import { returnsPage } from '../judges/envelope.ts'
import type { Cell } from '../model/api.ts'
import { fieldOf } from './successful-response.ts'

/** A field that a response lists. */
export interface ListedField {
  readonly name: string
  readonly strength: Strength
}

/** The fields in the documented response of an operation that reads a resource. Lists have their own rules. */
export const listedFields = (cell: Cell): ListedField[] => {
  const { definition, row, version } = cell
  if (onApi(cell) !== true || onRead(cell) !== true || returnsPage(cell)) return []
  const response = definition.responses.get(row.success)
  const place = response?.content.get(row.mediaType)
  if (place === undefined) return []
  const [example] = examplesOf(objectAt(objectAt(response?.node, 'content'), row.mediaType))
  const schema = flatten(version.document, place)
  return Object.entries(objectAt(schema, 'properties')).flatMap(([name, field]): ListedField[] => {
    const own = isObject(field) ? (field['x-strength'] ?? schema['x-strength']) : undefined
    const strength = isStrength(own) ? own : 'decided'
    return strength !== 'open' && name !== 'links' && fieldOf(example, name) !== undefined
      ? [{ name, strength }]
      : []
  })
}

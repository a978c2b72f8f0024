import { inspect, isArray, isObject, type Json, listAt, objectAt } from '../document/json.ts'
import { type Cell, successSchemaOf } from '../model/api.ts'
import { missingField } from '../model/difference.ts'
import { returnsArray } from './envelope.ts'
import { asksForEnvelope, isApiResponse, isError, type Judge } from './judge.ts'

const declaresLinks = (schema: Json | undefined): boolean => 'links' in objectAt(schema, 'properties')

/** Returns the names of the arrays whose items have links, such as `results`. */
const linkedArrays = (cell: Cell): string[] => {
  const { document } = cell.version
  const place = successSchemaOf(cell)
  return Object.keys(objectAt(place?.value, 'properties')).filter((name) => {
    const array = document.follow(`${place?.pointer}/properties/${name}`)
    return isObject(array.value.items) && declaresLinks(document.follow(`${array.pointer}/items`).value)
  })
}

/** Returns whether an operation returns a resource or a list that has links. An array has none, but its items may. */
export const returnsLinks = (cell: Cell): boolean => {
  const place = successSchemaOf(cell)
  if (place === undefined) return false
  if (returnsArray(cell)) return declaresLinks(cell.version.document.follow(`${place.pointer}/items`).value)
  return declaresLinks(place.value) || linkedArrays(cell).length > 0
}

const hasLinks = (value: Json): boolean =>
  isObject(value) && isArray(value.links) && value.links.every(isObject)

/** The resource or the list in the response, and each resource in the list, has an array of links. */
export const links: Judge = {
  requirement: 'resources.links-array',
  judge(judged) {
    const { body, call, cell } = judged
    if (isError(judged) || !isApiResponse(judged) || call.offRoute || !returnsLinks(cell))
      return 'not applicable'
    // How an envelope contains the resource is our decision, so an unknown envelope isn't judged.
    const isUnknown = asksForEnvelope(call) && judged.enveloped === undefined
    if (body === undefined || isUnknown) return 'not applicable'
    const whole = declaresLinks(successSchemaOf(cell)?.value) ? [body] : []
    const items = isArray(body) ? body : linkedArrays(cell).flatMap((name) => listAt(body, name))
    const without = [...whole, ...items].find((value) => !hasLinks(value))
    if (without === undefined) return 'passed'
    const what = items.includes(without) ? 'each resource in the list' : 'the response'
    const isMissing = isObject(without) && without.links === undefined
    return {
      expected: `a links array of objects in ${what}`,
      actual: inspect(without),
      ...(isMissing && { difference: missingField('links') }),
    }
  },
}

import { inspect, isArray, isObject, type Json, listAt, objectAt } from '../document/json.ts'
import { type Cell, successSchemaOf } from '../model/api.ts'
import { missingField } from '../model/difference.ts'
import { returnsArray, returnsPage } from './envelope.ts'
import { asksForEnvelope, isApiResponse, isError, type Judge } from './judge.ts'

const declaresLinks = (schema: Json | undefined): boolean => 'links' in objectAt(schema, 'properties')

/** Returns whether an operation returns a resource or a list that has links. An array has none, but its items may. */
export const returnsLinks = (cell: Cell): boolean => {
  const place = successSchemaOf(cell)
  if (place === undefined || !returnsArray(cell)) return declaresLinks(place?.value)
  return declaresLinks(cell.version.document.follow(`${place.pointer}/items`).value)
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
    const whole = isArray(body) ? [] : [body]
    const items = isArray(body) ? body : returnsPage(cell) ? listAt(body, 'results') : []
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

import { inspect, isArray, isObject, type Json, listAt } from '../document/json.ts'
import type { Cell } from '../model/api.ts'
import { missingField } from '../model/difference.ts'
import { returnsPage } from './envelope.ts'
import { asksForEnvelope, isApiResponse, isError, type Judge } from './judge.ts'

const schemaOf = ({ definition, row }: Cell) =>
  definition.responses.get(row.success)?.content.get(row.mediaType)

const declaresLinks = (schema: Json | undefined): boolean =>
  isObject(schema) && isObject(schema.properties) && 'links' in schema.properties

/** Returns whether an operation returns an array of resources with links. The array itself doesn't have links. */
const returnsLinkedItems = ({ version, ...cell }: Cell): boolean => {
  const place = schemaOf({ version, ...cell })
  if (place?.value.type !== 'array') return false
  return declaresLinks(version.document.follow(`${place.pointer}/items`).value)
}

/** Returns whether an operation returns a resource or a list that has links. */
export const returnsLinks = (cell: Cell): boolean =>
  declaresLinks(schemaOf(cell)?.value) || returnsLinkedItems(cell)

const hasLinks = (value: Json): boolean =>
  isObject(value) && isArray(value.links) && value.links.every(isObject)

/** The resource or the list in the response, and each resource in the list, has an array of links. */
export const links: Judge = {
  requirement: 'resources.links-array',
  judge(judged) {
    const { body, call, cell } = judged
    if (isError(judged) || !isApiResponse(judged) || call.offRoute || !returnsLinks(cell))
      return 'not applicable'
    if (typeof body !== 'object' || body === null) return 'not applicable'
    // How an envelope contains the resource is our decision, so an unknown envelope isn't judged.
    if (asksForEnvelope(call) && judged.enveloped === undefined) return 'not applicable'
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

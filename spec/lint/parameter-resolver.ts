import { Resolver } from '@stoplight/spectral-ref-resolver'
import { isNode, type JsonNode } from '../rules/read/json.ts'
import { methods } from '../rules/read/operations.ts'
import { follow } from '../rules/read/reference.ts'

/**
 * Resolves only path items and their parameters, because no other references matter for Spectral's own rules.
 * Spectral's default resolver copies every referenced schema, which expands a 1 MB document to 100 MB and takes five
 * seconds. Redocly reports broken references.
 */
export class ParameterResolver extends Resolver {
  override async resolve(source: unknown, options?: Parameters<Resolver['resolve']>[1]) {
    // Resolving an empty document provides values for the other fields, such as the reference graph.
    return { ...(await super.resolve({}, options)), result: withParameters(source) }
  }
}

function withParameters(document: unknown): unknown {
  if (!isNode(document) || !isNode(document.paths)) return document
  const paths = Object.entries(document.paths).map(([url, item]) => [url, resolvedItem(document, item)])
  return { ...document, paths: Object.fromEntries(paths) }
}

function resolvedItem(document: JsonNode, item: unknown): unknown {
  if (!isNode(item)) return item
  const { $ref, ...own } = item
  const whole = $ref === undefined ? item : { ...follow(document, item, []).value, ...own }
  const fields = Object.entries(whole).map(([name, value]) => [
    name,
    methods.includes(name) ? withResolvedParameters(document, value) : value,
  ])
  return withResolvedParameters(document, Object.fromEntries(fields))
}

function withResolvedParameters(document: JsonNode, carrier: unknown): unknown {
  if (!isNode(carrier) || !Array.isArray(carrier.parameters)) return carrier
  const parameters = carrier.parameters.map((each) =>
    isNode(each) ? follow(document, each, []).value : each,
  )
  return { ...carrier, parameters }
}

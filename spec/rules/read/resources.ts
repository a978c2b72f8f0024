import { asNode } from './json.ts'
import { contentOf, type OperationView, operationsIn, successOf } from './operations.ts'
import { effective, referredName } from './reference.ts'

/**
 * Returns the name of the component that an operation returns. Returns `undefined` if the operation returns nothing or
 * an inline schema.
 */
export function returnedComponent(document: unknown, operation: OperationView): string | undefined {
  const response = successOf(document, operation)
  const [content] = response ? contentOf(response) : []
  return referredName(content?.value.schema)
}

/**
 * Returns the name of the component for the items in the list that an operation returns. The list can be an array or a
 * page. Returns `undefined` if the operation doesn't return a list.
 */
export function listedComponent(document: unknown, operation: OperationView): string | undefined {
  const response = successOf(document, operation)
  const [content] = response ? contentOf(response) : []
  const schema = effective(document, content?.value.schema)
  const list = schema.type === 'array' ? schema : effective(document, asNode(schema.properties).results)
  return list.type === 'array' ? referredName(list.items) : undefined
}

/**
 * Returns the GET operation for a single resource in a collection. For `/things`, this is the operation at
 * `/things/{thingId}`.
 */
export function getterBeneath(document: unknown, url: string): OperationView | undefined {
  return operationsIn(document).find(
    ({ method, url: each }) =>
      method === 'get' && each.startsWith(`${url}/{`) && /^\{[^/}]+\}$/.test(each.slice(url.length + 1)),
  )
}

export function getterAt(document: unknown, url: string): OperationView | undefined {
  return operationsIn(document).find((each) => each.method === 'get' && each.url === url)
}

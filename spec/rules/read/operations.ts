import { asNode, asText, fieldsOf, type JsonNode, type JsonPath, type Located } from './json.ts'
import { follow } from './reference.ts'

export const methods = ['get', 'put', 'post', 'delete', 'patch', 'options', 'head', 'trace']

export interface OperationView extends Located {
  id: string
  url: string
  method: string
  item: JsonNode
}

const cache = new WeakMap<object, OperationView[]>()

/** Returns all operations in a document. */
export function operationsIn(document: unknown): OperationView[] {
  const root = asNode(document)
  const known = cache.get(root)
  if (known) return known
  const found = fieldsOf(root.paths, ['paths']).flatMap(({ key: url, value, path }) => {
    const item = follow(root, value, path)
    return fieldsOf(item.value, item.path)
      .filter(({ key }) => methods.includes(key))
      .map((each) => operationView(each, url, item.value))
  })
  cache.set(root, found)
  return found
}

function operationView(found: Located & { key: string }, url: string, item: JsonNode): OperationView {
  return { ...found, id: asText(found.value.operationId), url, method: found.key, item }
}

const byPath = new WeakMap<object, Map<string, OperationView>>()

/** Returns the operation at a path. Rules with `given: operations` use this function. */
export function operationAt(document: unknown, path: JsonPath): OperationView | undefined {
  const root = asNode(document)
  const known = byPath.get(root) ?? new Map(operationsIn(root).map((each) => [each.path.join(' '), each]))
  byPath.set(root, known)
  return known.get(path.join(' '))
}

/** Returns the parameters of an operation and of its path item, with resolved references. */
export function parametersOf(document: unknown, operation: OperationView): Located[] {
  const ofItem = fieldsOf(operation.item.parameters, [...operation.path.slice(0, -1), 'parameters'])
  const own = fieldsOf(operation.value.parameters, [...operation.path, 'parameters'])
  return [...ofItem, ...own].map(({ value, path }) => follow(document, value, path))
}

export interface ResponseView extends Located {
  status: string
  /**
   * The response's location in the operation. If the response is a reference, `path` is the location of the component.
   */
  at: JsonPath
}

export function responsesOf(document: unknown, operation: OperationView): ResponseView[] {
  return fieldsOf(operation.value.responses, [...operation.path, 'responses']).map(
    ({ key, value, path }) => ({ ...follow(document, value, path), status: key, at: path }),
  )
}

export function successOf(document: unknown, operation: OperationView): ResponseView | undefined {
  return responsesOf(document, operation).find(({ status }) => status.startsWith('2'))
}

/** Returns all headers: components, and headers that are defined in a single response. */
export function headersIn(document: unknown): Located[] {
  const root = asNode(document)
  const responses = operationsIn(root).flatMap((operation) => responsesOf(root, operation))
  const own = responses.flatMap(({ value, path }) => fieldsOf(value.headers, [...path, 'headers']))
  const all = [...fieldsOf(asNode(root.components).headers, ['components', 'headers']), ...own]
  const unshared = all.filter(({ value }) => !('$ref' in value))
  return [...new Map(unshared.map((each) => [each.path.join('\0'), each])).values()]
}

export interface ContentView extends Located {
  mediaType: string
}

/** Returns the media types of a request body or a response. */
export function contentOf({ value, path }: Located): ContentView[] {
  return fieldsOf(value.content, [...path, 'content']).map((each) => ({ ...each, mediaType: each.key }))
}

export function requestOf(document: unknown, operation: OperationView): Located | undefined {
  if (operation.value.requestBody === undefined) return undefined
  return follow(document, operation.value.requestBody, [...operation.path, 'requestBody'])
}

/** Returns whether an operation belongs to the API itself, unlike the token endpoint. */
export function isApiOperation(operation: OperationView): boolean {
  return !/^\/api\/oauth\//.test(operation.url)
}

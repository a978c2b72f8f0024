import { asNode, asText, fieldsOf, type Located, pathOf } from './read/json.ts'
import { contentOf, type OperationView, operationsIn, parametersOf, responsesOf } from './read/operations.ts'
import { effective, follow } from './read/reference.ts'
import { type Finding, type Rule, wholeDocument } from './read/rule.ts'

export const rule: Rule = {
  id: 'links-resolve',
  message:
    "a link's operationId must be the ID of an operation in the document, and its parameters must be parameters of that operation. Expressions must refer to parameters of the request or to fields of the response.",
  why: 'Tools follow links to find the next request. Without this rule, a misspelled name goes unnoticed until a tool follows the link.',
  scope: 'any',
  given: wholeDocument,
  function(document) {
    const shared = fieldsOf(asNode(asNode(document).components).links, ['components', 'links'])
    const own = operationsIn(document)
      .flatMap((operation) => responsesOf(document, operation))
      .flatMap(({ value, path }) => fieldsOf(value.links, [...path, 'links']))
      .map(({ value, path }) => follow(document, value, path))
    const links = new Map([...shared, ...own].map((link) => [link.path.join('\0'), link]))
    return [...[...links.values()].flatMap((link) => faultsOf(document, link)), ...emptyExpressions(document)]
  },
}

/** Finds link expressions that refer to missing parts of the request or response. */
function emptyExpressions(document: unknown): Finding[] {
  return operationsIn(document).flatMap((operation) =>
    responsesOf(document, operation).flatMap((response) =>
      fieldsOf(response.value.links, [...response.path, 'links']).flatMap((link) =>
        Object.entries(asNode(link.value.parameters))
          .filter(([, expression]) => !hasValue(document, operation, response, asText(expression)))
          .map(([name, expression]) => ({
            message: `${asText(expression)} refers to an unknown parameter or field`,
            path: [...link.path, 'parameters', name],
          })),
      ),
    ),
  )
}

/**
 * Returns whether the request or response has the part that a runtime expression refers to (OpenAPI 3.1.1 §4.8.20.4).
 */
function hasValue(
  document: unknown,
  operation: OperationView,
  response: Located,
  expression: string,
): boolean {
  const [, place, name] = /^\$request\.(path|query)\.(.+)$/.exec(expression) ?? []
  if (place !== undefined)
    return parametersOf(document, operation).some(({ value }) => value.in === place && value.name === name)
  const [, pointer] = /^\$response\.body#(\/.+)$/.exec(expression) ?? []
  const [content] = contentOf(response)
  return pointer === undefined || content === undefined || hasField(document, content.value.schema, pointer)
}

/** Returns whether a schema has a field. Schemas that list no properties can have any field. */
function hasField(document: unknown, schema: unknown, pointer: string): boolean {
  let found: unknown = schema
  for (const key of pathOf(pointer)) {
    const properties = asNode(effective(document, found).properties)
    if (Object.keys(properties).length === 0) return true
    if (!Object.hasOwn(properties, key)) return false
    found = properties[key]
  }
  return true
}

function faultsOf(document: unknown, { value, path }: Located): Finding[] {
  const { operationId, parameters } = value
  if (operationId === undefined) return []
  const operation = operationsIn(document).find(({ id }) => id === operationId)
  if (!operation)
    return [
      { message: `the document has no operation ${asText(operationId)}`, path: [...path, 'operationId'] },
    ]
  // A name can have the parameter's location as a prefix (OpenAPI 3.1.1 §4.8.20).
  const known = parametersOf(document, operation).flatMap((parameter) => {
    const { name, in: place } = parameter.value
    return [asText(name), `${asText(place)}.${asText(name)}`]
  })
  return Object.keys(asNode(parameters))
    .filter((name) => !known.includes(name))
    .map((name) => ({
      message: `${asText(operationId)} has no parameter ${name}`,
      path: [...path, 'parameters', name],
    }))
}

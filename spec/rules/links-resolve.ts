import { asNode, asText, fieldsOf, type Located } from './read/json.ts'
import { operationsIn, parametersOf, responsesOf } from './read/operations.ts'
import { follow } from './read/reference.ts'
import { type Finding, type Rule, wholeDocument } from './read/rule.ts'

export const rule: Rule = {
  id: 'links-resolve',
  message:
    "a link's operationId must name an operation, and its parameters must name parameters of the operation.",
  why: 'Tools follow links to find the next request. A misspelled name is only noticed when a link is followed.',
  scope: 'any',
  given: wholeDocument,
  function(document) {
    const shared = fieldsOf(asNode(asNode(document).components).links, ['components', 'links'])
    const own = operationsIn(document)
      .flatMap((operation) => responsesOf(document, operation))
      .flatMap(({ value, path }) => fieldsOf(value.links, [...path, 'links']))
      .map(({ value, path }) => follow(document, value, path))
    const links = new Map([...shared, ...own].map((link) => [link.path.join('\0'), link]))
    return [...links.values()].flatMap((link) => faultsOf(document, link))
  },
}

function faultsOf(document: unknown, { value, path }: Located): Finding[] {
  const { operationId, parameters } = value
  if (operationId === undefined) return []
  const operation = operationsIn(document).find(({ id }) => id === operationId)
  if (!operation)
    return [{ message: `there is no operation ${asText(operationId)}`, path: [...path, 'operationId'] }]
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

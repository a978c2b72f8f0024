import { asNode, fieldsOf, type JsonNode, type Located } from './read/json.ts'
import { nodesIn } from './read/nodes.ts'
import { headersIn } from './read/operations.ts'
import { effective } from './read/reference.ts'
import { type Rule, wholeDocument } from './read/rule.ts'
import { schemasIn } from './read/schemas.ts'

export const rule: Rule = {
  id: 'examples-present',
  message: 'every schema, property, parameter, header, request and response must have an example.',
  why: 'Mock servers, documentation pages and tests use the examples.',
  scope: 'style',
  given: wholeDocument,
  function(document) {
    const components = asNode(asNode(document).components)
    const schemas = schemasIn(document).filter(({ place }) => place === 'component' || place === 'property')
    const carriers = [
      ...fieldsOf(components.parameters, ['components', 'parameters']),
      ...headersIn(document),
    ]
    return [
      ...schemas.filter(({ value }) => !shows(effective(document, value))),
      ...carriers.filter(({ value }) => !('$ref' in value) && !shows(value)),
      ...mediaTypesIn(document).filter(({ value }) => 'schema' in value && !shows(value)),
    ].map(({ path }) => ({ message: `${path.at(-1)} has no example`, path }))
  },
}

function mediaTypesIn(document: unknown): Located[] {
  return nodesIn(document)
    .filter(({ value }) => 'content' in value)
    .flatMap(({ value, path }) => fieldsOf(value.content, [...path, 'content']))
}

function shows(node: JsonNode): boolean {
  if (node.example !== undefined) return true
  if (Array.isArray(node.examples)) return node.examples.length > 0
  const named = Object.values(asNode(node.examples))
  return (
    named.length > 0 &&
    named.every((each) => ['value', 'externalValue', '$ref'].some((key) => key in asNode(each)))
  )
}

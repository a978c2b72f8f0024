import { asNode, asTexts, type Located } from './read/json.ts'
import { contentOf, operationAt, requestOf } from './read/operations.ts'
import { reachableSchemas } from './read/reachable.ts'
import { effective } from './read/reference.ts'
import { everyOperation, type Finding, type Rule } from './read/rule.ts'

export const rule: Rule = {
  id: 'request-properties-writable',
  message:
    'a request schema must not have read-only properties at the top level, and must not require read-only properties at any level.',
  why: "Servers ignore read-only fields in requests, so clients shouldn't have to send them.",
  scope: 'style',
  given: everyOperation,
  function(_, { path, document }) {
    const operation = operationAt(document, path)
    const request = operation ? requestOf(document, operation) : undefined
    if (!request) return []
    return contentOf(request).flatMap((content) => {
      const schema = { value: asNode(content.value.schema), path: [...content.path, 'schema'] }
      return reachableSchemas(document, schema).flatMap(({ value, path: at, depth }) =>
        faultsOf(document, { value, path: at }, depth === 0),
      )
    })
  },
}

function faultsOf(document: unknown, { value, path }: Located, isRequest: boolean): Finding[] {
  const required = asTexts(value.required)
  return Object.entries(asNode(value.properties))
    .filter(([name, property]) => {
      const isReadOnly = effective(document, property).readOnly === true
      return isReadOnly && (isRequest || required.includes(name))
    })
    .map(([name]) => ({ message: `${name} is read-only`, path: [...path, 'properties', name] }))
}

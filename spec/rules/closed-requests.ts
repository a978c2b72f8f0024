import type { JsonPath, Located } from './read/json.ts'
import { contentOf, operationAt, requestOf, successOf } from './read/operations.ts'
import { effective, follow } from './read/reference.ts'
import { everyOperation, type Rule } from './read/rule.ts'

export const rule: Rule = {
  id: 'closed-requests',
  message:
    'request objects must have additionalProperties: false, unless they are x-strength: open. Response objects must allow additional properties.',
  why: 'Servers can reject misspelled request fields instead of ignoring them, and can add response fields without breaking clients.',
  scope: 'style',
  given: everyOperation,
  function(_, { path, document }) {
    const operation = operationAt(document, path)
    if (!operation) return []
    const request = requestOf(document, operation)
    const response = successOf(document, operation)
    const requests = (request ? contentOf(request) : []).filter(({ mediaType }) => mediaType.endsWith('json'))
    const open = requests.filter(({ value }) => {
      const schema = effective(document, value.schema)
      return (
        schema.type === 'object' && schema.additionalProperties !== false && schema['x-strength'] !== 'open'
      )
    })
    const closed = (response ? contentOf(response) : []).filter(
      ({ value }) => effective(document, value.schema).additionalProperties === false,
    )
    return [
      ...open.map((content) => ({
        message: 'the request object allows additional properties',
        path: schemaPath(document, content),
      })),
      ...closed.map((content) => ({
        message: 'the response object has additionalProperties: false',
        path: schemaPath(document, content),
      })),
    ]
  },
}

/** Returns the location of a body's schema. If the body refers to a component, returns the component's location. */
const schemaPath = (document: unknown, { value, path }: Located): JsonPath =>
  follow(document, value.schema, [...path, 'schema']).path

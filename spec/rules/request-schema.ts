import { contentOf, operationAt, requestOf } from './read/operations.ts'
import { everyOperation, type Rule } from './read/rule.ts'

export const rule: Rule = {
  id: 'request-schema',
  message: 'each JSON media type of a request body must have a schema.',
  why: "Without a schema, servers can't validate the body, and generated clients accept any value.",
  scope: 'any',
  given: everyOperation,
  function(_, { document, path }) {
    const operation = operationAt(document, path)
    const request = operation && requestOf(document, operation)
    if (!request) return []
    return contentOf(request)
      .filter(({ mediaType, value }) => /[/+]json\b/.test(mediaType) && value.schema === undefined)
      .map(({ mediaType, path: at }) => ({ message: `${mediaType} has no schema`, path: at }))
  },
}

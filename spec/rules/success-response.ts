import { contentOf, operationAt, requestOf, responsesOf } from './read/operations.ts'
import { everyOperation, type Rule } from './read/rule.ts'

export const rule: Rule = {
  id: 'success-response',
  message:
    'an operation must have exactly one success response. Its request and its success response must each have exactly one media type. The success response must have a schema, unless its status is 202 or 204.',
  why: "A generated method has one return type, and sends the response's media type in Accept. If the response has no media type, many clients send application/json, which v2 rejects.",
  scope: 'ours',
  given: everyOperation,
  function(_, { path, document }) {
    const operation = operationAt(document, path)
    if (!operation) return []
    const successes = responsesOf(document, operation).filter(({ status }) => /^2/.test(status))
    const request = requestOf(document, operation)
    const counted = successes.map(({ status, ...response }) => {
      const contents = contentOf(response)
      if (contents.length !== 1)
        return `the response ${status} has ${contents.length} media types instead of 1`
      const hasSchema = contents.some(({ value }) => 'schema' in value)
      if (['202', '204'].includes(status))
        return hasSchema ? `the response ${status} has a schema` : undefined
      return hasSchema ? undefined : `the response ${status} has no schema`
    })
    const faults = [
      successes.length === 1 ? undefined : `the operation has ${successes.length} success responses`,
      ...counted,
      request && contentOf(request).length !== 1
        ? 'the request does not have exactly one media type'
        : undefined,
    ].filter((fault) => fault !== undefined)
    return faults.map((message) => ({ message, path }))
  },
}

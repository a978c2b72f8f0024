import { contentOf, operationAt, requestOf, responsesOf } from './read/operations.ts'
import { everyOperation, type Rule } from './read/rule.ts'

export const rule: Rule = {
  id: 'success-response',
  message:
    'an operation must have exactly one success response. 200, 201 and requests must have one media type, 202 and 204 none.',
  why: 'Generated methods return one type for an operation that succeeded.',
  scope: 'ours',
  given: everyOperation,
  function(_, { path, document }) {
    const operation = operationAt(document, path)
    if (!operation) return []
    const successes = responsesOf(document, operation).filter(({ status }) => /^2/.test(status))
    const request = requestOf(document, operation)
    const counted = successes.map(({ status, ...response }) => {
      const wanted = ['202', '204'].includes(status) ? 0 : 1
      const count = contentOf(response).length
      return count === wanted
        ? undefined
        : `the response ${status} has ${count} media types instead of ${wanted}`
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

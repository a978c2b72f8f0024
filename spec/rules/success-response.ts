import { contentOf, operationAt, requestOf, responsesOf } from './read/operations.ts'
import { everyOperation, type Rule } from './read/rule.ts'

export const rule: Rule = {
  id: 'success-response',
  message:
    'an operation has exactly one success; a 200 and a 201 have one media type, a 202 and a 204 none, and a request has one.',
  given: everyOperation,
  function(_, { path, document }) {
    const operation = operationAt(document, path)
    if (!operation) return []
    const successes = responsesOf(document, operation).filter(({ status }) => /^2/.test(status))
    const request = requestOf(document, operation)
    const counted = successes.map(({ status, ...response }) => {
      const wanted = ['202', '204'].includes(status) ? 0 : 1
      const count = contentOf(response).length
      return count === wanted ? undefined : `the answer ${status} has ${count} media types and not ${wanted}`
    })
    const faults = [
      successes.length === 1 ? undefined : `it has ${successes.length} successes`,
      ...counted,
      request && contentOf(request).length !== 1 ? 'its request has no single media type' : undefined,
    ].filter((fault) => fault !== undefined)
    return faults.map((message) => ({ message, path }))
  },
}

import { asNode } from './read/json.ts'
import { operationAt, successOf } from './read/operations.ts'
import { everyOperation, type Rule } from './read/rule.ts'

export const rule: Rule = {
  id: 'deprecation-headers',
  message:
    'the success response of a deprecated operation must declare Deprecation (RFC 9745), Sunset (RFC 8594) if there is a sunset, and Link (RFC 8288) if there is a successor.',
  why: 'Few developers reread the documentation of an operation that works, so responses must announce a deprecation.',
  scope: 'ours',
  given: everyOperation,
  function(operation, { path, document }) {
    const { deprecated, 'x-deprecation': deprecation } = asNode(operation)
    const { sunset, successor } = asNode(deprecation)
    const view = operationAt(document, path)
    const response = view ? successOf(document, view) : undefined
    if (deprecated !== true || !response) return []
    const headers = asNode(response.value.headers)
    return [
      'Deprecation',
      ...(sunset === undefined ? [] : ['Sunset']),
      ...(successor === undefined ? [] : ['Link']),
    ]
      .filter((name) => !Object.hasOwn(headers, name))
      .map((name) => ({ message: `the response does not declare ${name}`, path: response.path }))
  },
}

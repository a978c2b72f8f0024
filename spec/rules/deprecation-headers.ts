import { asNode } from './read/json.ts'
import { operationAt, successOf } from './read/operations.ts'
import { everyOperation, type Rule } from './read/rule.ts'

export const rule: Rule = {
  id: 'deprecation-headers',
  message:
    'the success of a deprecated operation declares Deprecation (RFC 9745), with a sunset Sunset (RFC 8594), and with a successor Link (RFC 8288).',
  given: everyOperation,
  function(operation, { path, document }) {
    const { deprecated, 'x-deprecation': deprecation } = asNode(operation)
    const { sunset, successor } = asNode(deprecation)
    const view = operationAt(document, path)
    const answer = view ? successOf(document, view) : undefined
    if (deprecated !== true || !answer) return []
    const headers = asNode(answer.value.headers)
    return [
      'Deprecation',
      ...(sunset === undefined ? [] : ['Sunset']),
      ...(successor === undefined ? [] : ['Link']),
    ]
      .filter((name) => !Object.hasOwn(headers, name))
      .map((name) => ({ message: `the answer does not declare ${name}`, path: answer.path }))
  },
}

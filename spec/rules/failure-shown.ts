import { asNode, asText } from './read/json.ts'
import { isApiOperation, operationAt } from './read/operations.ts'
import { everyOperation, type Rule } from './read/rule.ts'

export const rule: Rule = {
  id: 'failure-shown',
  message:
    'an operation shows the failure that a caller meets most, in a sentence about the demo organisation: its path file tells it as x-failure.',
  given: everyOperation,
  function(_, { path, document }) {
    const operation = operationAt(document, path)
    if (!operation || !isApiOperation(operation)) return []
    const { detail } = asNode(operation.value['x-failure'])
    if (detail === undefined) return [{ message: 'there is none', path }]
    const isSentence = /\w .*\.$/.test(asText(detail))
    return isSentence ? [] : [{ message: 'it has no sentence', path: [...path, 'x-failure', 'detail'] }]
  },
}

import { asNode, asText } from './read/json.ts'
import { everyOperation, type Rule } from './read/rule.ts'

export const rule: Rule = {
  id: 'sunset-has-successor',
  message: 'an operation with a sunset names what to use in its place (x-deprecation.successor).',
  given: everyOperation,
  function(operation, { path }) {
    const { sunset, successor } = asNode(asNode(operation)['x-deprecation'])
    if (sunset === undefined || asText(successor) !== '') return []
    return [{ message: `it goes on ${sunset} and names no successor`, path: [...path, 'x-deprecation'] }]
  },
}

import { asNode, asText } from './read/json.ts'
import { everyOperation, type Rule } from './read/rule.ts'

export const rule: Rule = {
  id: 'sunset-has-successor',
  message: 'an operation with a sunset must name its successor (x-deprecation.successor).',
  why: 'Callers need to know what to use after the operation is removed.',
  scope: 'ours',
  readsSingleNodes: true,
  given: everyOperation,
  function(operation, { path }) {
    const { sunset, successor } = asNode(asNode(operation)['x-deprecation'])
    if (sunset === undefined || asText(successor) !== '') return []
    return [
      { message: `the sunset is ${sunset}, but no successor is named`, path: [...path, 'x-deprecation'] },
    ]
  },
}

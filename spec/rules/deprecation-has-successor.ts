import { asNode, asText } from './read/json.ts'
import { everyOperation, type Rule } from './read/rule.ts'

export const rule: Rule = {
  id: 'deprecation-has-successor',
  message:
    'a deprecated operation must name its successor, either in x-deprecation.successor or in a sentence of its description that starts with "Use".',
  why: 'Callers of a deprecated operation need to know what to use instead.',
  scope: 'style',
  given: everyOperation,
  function(operation, { path }) {
    const { deprecated, description, 'x-deprecation': deprecation } = asNode(operation)
    if (deprecated !== true || asText(asNode(deprecation).successor) !== '') return []
    if (/(^|[.;:]\s+|\n)(Use|Call|Instead)\b/.test(asText(description))) return []
    return [{ message: 'the operation is deprecated, but has no successor', path: [...path, 'deprecated'] }]
  },
}

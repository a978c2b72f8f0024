import { asNode, asText, asTexts } from './read/json.ts'
import { isApiOperation, operationAt } from './read/operations.ts'
import { everyOperation, type Rule } from './read/rule.ts'

export const rule: Rule = {
  id: 'failure-shown',
  message:
    "the path file of each operation must contain x-failure. It must have the code of the operation's most frequent error, and a sentence that explains the error for a resource in the demo organization. The code must be in the operation's x-errors.",
  why: "The documentation shows each operation's most frequent error with a realistic message.",
  scope: 'ours',
  given: everyOperation,
  function(_, { path, document }) {
    const operation = operationAt(document, path)
    if (!operation || !isApiOperation(operation)) return []
    const { code, detail } = asNode(operation.value['x-failure'])
    if (detail === undefined) return [{ message: 'x-failure is missing', path }]
    if (!asTexts(operation.value['x-errors']).includes(asText(code)))
      return [
        { message: `the operation doesn't return ${asText(code)}`, path: [...path, 'x-failure', 'code'] },
      ]
    const isSentence = /\w .*\.$/.test(asText(detail))
    return isSentence
      ? []
      : [{ message: 'x-failure.detail is not a sentence', path: [...path, 'x-failure', 'detail'] }]
  },
}

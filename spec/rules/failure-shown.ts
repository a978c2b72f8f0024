import { asNode, asText } from './read/json.ts'
import { contentOf, isApiOperation, operationAt, type ResponseView, responsesOf } from './read/operations.ts'
import { everyOperation, type Finding, type Rule } from './read/rule.ts'

export const rule: Rule = {
  id: 'failure-shown',
  message:
    'an operation shows the failure that a caller meets most, in a sentence about the demo organisation: its path file tells it as x-failure.',
  given: everyOperation,
  function(_, { path, document }) {
    const operation = operationAt(document, path)
    if (!operation || !isApiOperation(operation)) return []
    // The bundle step writes an answer with a failure of the operation's own to it, and refers to the others.
    const answers = asNode(operation.value.responses)
    const own = responsesOf(document, operation).filter(
      ({ status }) => !status.startsWith('2') && !('$ref' in asNode(answers[status])),
    )
    return own.length > 0
      ? own.flatMap(unsaid)
      : [{ message: 'every failure that it shows is that of other operations too', path }]
  },
}

function unsaid(answer: ResponseView): Finding[] {
  return contentOf(answer).flatMap(({ value, path }) =>
    Object.entries(asNode(value.examples))
      .filter(([, example]) => !/\w .*\.$/.test(asText(asNode(asNode(example).value).detail)))
      .map(([name]) => ({ message: `${name} has no sentence`, path: [...path, 'examples', name] })),
  )
}

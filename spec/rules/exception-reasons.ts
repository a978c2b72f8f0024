import { asNode, asText } from './read/json.ts'
import { nodesIn } from './read/nodes.ts'
import { type Rule, wholeDocument } from './read/rule.ts'

export const rule: Rule = {
  id: 'exception-reasons',
  message: 'an exception (x-lint-exceptions) must name a rule and state the reason in a complete sentence.',
  why: "Without a reason, reviewers can't judge the exception, and maintainers don't know when to remove it.",
  scope: 'any',
  readsSingleNodes: true,
  given: wholeDocument,
  function(document) {
    return nodesIn(document)
      .filter(({ value }) => 'x-lint-exceptions' in value)
      .flatMap(({ value, path }) => {
        const at = [...path, 'x-lint-exceptions']
        return Object.entries(asNode(value['x-lint-exceptions']))
          .filter(([, reason]) => !/\S+ \S+ \S+.*\.$/s.test(asText(reason).trim()))
          .map(([rule]) => ({ message: `the exception to ${rule} has no reason`, path: [...at, rule] }))
      })
  },
}

import { asText } from './read/json.ts'
import { nodesIn } from './read/nodes.ts'
import { type Rule, wholeDocument } from './read/rule.ts'
import { camelCase } from './read/words.ts'

export const rule: Rule = {
  id: 'parameter-names',
  message: 'path and query parameters must be in camelCase.',
  why: 'Consistent names are easier to remember and lead to predictable names in generated code.',
  scope: 'style',
  readsSingleNodes: true,
  given: wholeDocument,
  function(document) {
    return nodesIn(document)
      .filter(
        ({ value }) => ['path', 'query'].includes(asText(value.in)) && !camelCase.test(asText(value.name)),
      )
      .map(({ value, path }) => ({ message: `the parameter name is ${value.name ?? 'missing'}`, path }))
  },
}

import { asList, asNode, asText, fieldsOf } from './read/json.ts'
import { operationsIn } from './read/operations.ts'
import { type Rule, wholeDocument } from './read/rule.ts'

export const rule: Rule = {
  id: 'tags-declared',
  message:
    'an operation must have exactly one tag, and the document must declare this tag. Each declared tag must be used, and must be declared only once.',
  why: 'Documentation pages and code generators group operations by tag.',
  scope: 'style',
  given: wholeDocument,
  function(document) {
    const tags = fieldsOf(asNode(document).tags, ['tags'])
    const names = tags.map(({ value }) => asText(value.name))
    const operations = operationsIn(document)
    const used = new Set(operations.flatMap(({ value }) => asList(value.tags)))
    return [
      ...operations
        .filter(({ value }) => asList(value.tags).length !== 1)
        .map(({ path, value }) => ({ message: `the operation has ${asList(value.tags).length} tags`, path })),
      ...operations.flatMap(({ path, value }) =>
        asList(value.tags)
          .filter((name) => !names.includes(String(name)))
          .map((name) => ({ message: `tag ${name} is not declared`, path: [...path, 'tags'] })),
      ),
      ...tags
        .filter(({ value }, index) => !used.has(value.name) || names.indexOf(asText(value.name)) !== index)
        .map(({ value, path }) => ({ message: `tag ${value.name} is unused or declared twice`, path })),
    ]
  },
}

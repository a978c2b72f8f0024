import { type Rule, wholeDocument } from './read/rule.ts'
import { schemasIn } from './read/schemas.ts'

export const rule: Rule = {
  id: 'array-item-type',
  message: 'an array must define the schema of its items, in items or prefixItems.',
  why: "Some code generators fail if they don't know the type of an array's items.",
  scope: 'style',
  readsSingleNodes: true,
  given: wholeDocument,
  function(document) {
    return schemasIn(document)
      .filter(({ value }) => [value.type].flat().includes('array'))
      .filter(({ value }) => !('items' in value) && !('prefixItems' in value))
      .map(({ path, name }) => ({ message: `array ${name} has no items`, path }))
  },
}

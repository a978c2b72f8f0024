import { type Rule, wholeDocument } from './read/rule.ts'
import { schemasIn } from './read/schemas.ts'

export const rule: Rule = {
  id: 'array-item-type',
  message: 'an array must describe its items with items or prefixItems.',
  why: 'Generators need the type of the items. Without it, some of them fail.',
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

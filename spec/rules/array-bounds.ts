import { type Rule, wholeDocument } from './read/rule.ts'
import { admits, schemasIn } from './read/schemas.ts'

export const rule: Rule = {
  id: 'array-bounds',
  message: 'an array has maxItems.',
  given: wholeDocument,
  function(document) {
    return schemasIn(document)
      .filter(({ value }) => admits(value, 'array') && !('maxItems' in value))
      .map(({ path, name }) => ({ message: `the array ${name} may have any number of items`, path }))
  },
}

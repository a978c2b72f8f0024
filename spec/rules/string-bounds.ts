import { type Rule, wholeDocument } from './read/rule.ts'
import { admits, schemasIn } from './read/schemas.ts'

export const rule: Rule = {
  id: 'string-bounds',
  message: 'a string must have a maxLength, unless it is an enum or a constant.',
  why: 'Servers need a limit so that they can reject oversized requests early, and databases need one for the column that stores the value.',
  scope: 'style',
  readsSingleNodes: true,
  given: wholeDocument,
  function(document) {
    return (
      schemasIn(document)
        .filter(({ value }) => admits(value, 'string') && !('enum' in value) && !('const' in value))
        .filter(({ value }) => !('maxLength' in value))
        // Schemas under `not` don't need a limit.
        .filter(({ place, name }) => place !== 'keyword' || name !== 'not')
        .map(({ path, name }) => ({ message: `string ${name} has no maxLength`, path }))
    )
  },
}

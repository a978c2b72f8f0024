import { type Rule, wholeDocument } from './read/rule.ts'
import { admits, schemasIn } from './read/schemas.ts'

export const rule: Rule = {
  id: 'string-bounds',
  message: 'a string must have a maxLength, unless it is an enum or a constant.',
  why: 'With a limit, servers can reject oversized requests early, and developers know how long the database column must be.',
  scope: 'style',
  readsSingleNodes: true,
  given: wholeDocument,
  function(document) {
    return (
      schemasIn(document)
        .filter(({ value }) => admits(value, 'string') && !('enum' in value) && !('const' in value))
        .filter(({ value }) => !('maxLength' in value))
        // A schema under `not` can only reject values, so it doesn't need a limit.
        .filter(({ place, name }) => place !== 'keyword' || name !== 'not')
        .map(({ path, name }) => ({ message: `string ${name} has no maxLength`, path }))
    )
  },
}

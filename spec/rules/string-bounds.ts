import { type Rule, wholeDocument } from './read/rule.ts'
import { admits, schemasIn } from './read/schemas.ts'

export const rule: Rule = {
  id: 'string-bounds',
  message: 'a string has a maxLength, unless it is an enumeration or a constant.',
  given: wholeDocument,
  function(document) {
    return (
      schemasIn(document)
        .filter(({ value }) => admits(value, 'string') && !('enum' in value) && !('const' in value))
        .filter(({ value }) => !('maxLength' in value))
        // What is refused needs no bound.
        .filter(({ place, name }) => place !== 'keyword' || name !== 'not')
        .map(({ path, name }) => ({ message: `the string ${name} may have any length`, path }))
    )
  },
}

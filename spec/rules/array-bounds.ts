import { type Rule, wholeDocument } from './read/rule.ts'
import { admits, schemasIn } from './read/schemas.ts'

export const rule: Rule = {
  id: 'array-bounds',
  message: 'an array must have maxItems.',
  why: 'With a limit, servers can reject oversized requests early, and clients know how many items they may receive.',
  scope: 'style',
  readsSingleNodes: true,
  given: wholeDocument,
  function(document) {
    return schemasIn(document)
      .filter(({ value }) => admits(value, 'array') && !('maxItems' in value))
      .map(({ path, name }) => ({ message: `array ${name} has no maxItems`, path }))
  },
}

import { type Rule, wholeDocument } from './read/rule.ts'
import { admits, schemasIn } from './read/schemas.ts'

export const rule: Rule = {
  id: 'array-bounds',
  message: 'an array must have maxItems.',
  why: 'Servers need a limit so that they can reject oversized requests early, and clients need to know how much they may receive.',
  scope: 'style',
  readsSingleNodes: true,
  given: wholeDocument,
  function(document) {
    return schemasIn(document)
      .filter(({ value }) => admits(value, 'array') && !('maxItems' in value))
      .map(({ path, name }) => ({ message: `array ${name} has no maxItems`, path }))
  },
}

import { asText } from './read/json.ts'
import { effective } from './read/reference.ts'
import { type Rule, wholeDocument } from './read/rule.ts'
import { schemasIn } from './read/schemas.ts'

/** Matches phrases in descriptions that announce additional values. */
const announcesMore = /\b(more|other|new|further|additional) values\b/i

export const rule: Rule = {
  id: 'open-values',
  message:
    'a schema must not have an enum or a constant if it has x-known-values, or if its description says that other values are possible.',
  why: 'If the schema has an enum, validators and generated clients reject values that the API adds later.',
  scope: 'style',
  given: wholeDocument,
  function(document) {
    return schemasIn(document).flatMap(({ value, path, name }) => {
      const schema = effective(document, value)
      const isOpen = 'x-known-values' in schema || announcesMore.test(asText(schema.description))
      const keyword = ['enum', 'const'].find((each) => each in schema)
      if (!isOpen || keyword === undefined) return []
      return [{ message: `${name} accepts more values, but has ${keyword}`, path }]
    })
  },
}

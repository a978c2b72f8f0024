import { asList, asTexts } from './read/json.ts'
import { effective } from './read/reference.ts'
import { type Rule, wholeDocument } from './read/rule.ts'
import { schemasIn } from './read/schemas.ts'

export const rule: Rule = {
  id: 'examples-use-known-values',
  message: 'examples of an open enumeration must be values from its x-known-values.',
  why: "Validators accept any value in an open enumeration, so they don't detect misspelled examples or values that belong to a different field.",
  scope: 'ours',
  given: wholeDocument,
  function(document) {
    return schemasIn(document).flatMap(({ value, path }) => {
      const schema = effective(document, value)
      const known = asTexts(schema['x-known-values'])
      if (known.length === 0) return []
      return asList(schema.examples).flatMap((example, index) =>
        typeof example !== 'string' || known.includes(example)
          ? []
          : [{ message: `${example} is not a known value`, path: [...path, 'examples', index] }],
      )
    })
  },
}

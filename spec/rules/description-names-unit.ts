import { asText } from './read/json.ts'
import { effective } from './read/reference.ts'
import { type Rule, wholeDocument } from './read/rule.ts'
import { schemasIn } from './read/schemas.ts'

const unit = /(Milliseconds|Seconds|Minutes|Hours|Days|Bytes)$/

export const rule: Rule = {
  id: 'description-names-unit',
  message: "if a field's name ends with a unit, its description must mention the same unit.",
  why: 'If the description mentions a different unit, callers send values that are much too large or too small.',
  scope: 'style',
  given: wholeDocument,
  function(document) {
    return schemasIn(document).flatMap(({ value, path, name, place }) => {
      const named = place === 'property' ? unit.exec(name)?.[1] : undefined
      const text = asText(effective(document, value).description)
      if (named === undefined || text === '') return []
      const singular = named.slice(0, -1)
      return new RegExp(`\\b${singular}s?\\b`, 'i').test(text)
        ? []
        : [
            {
              message: `the description doesn't mention ${named.toLowerCase()}`,
              path: [...path, 'description'],
            },
          ]
    })
  },
}

import { asList } from './read/json.ts'
import { type Rule, wholeDocument } from './read/rule.ts'
import { schemasIn } from './read/schemas.ts'

export const rule: Rule = {
  id: 'required-once',
  message: 'required must not contain a name twice (JSON Schema 2020-12, Validation §6.5.3).',
  why: 'Validators reject schemas that list a required property twice. One of the two names is often a typo for a different property.',
  scope: 'any',
  readsSingleNodes: true,
  given: wholeDocument,
  function(document) {
    return schemasIn(document).flatMap(({ value, path }) => {
      const names = asList(value.required)
      const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index))
      return [...repeated].map((name) => ({
        message: `required contains ${JSON.stringify(name)} twice`,
        path: [...path, 'required'],
      }))
    })
  },
}

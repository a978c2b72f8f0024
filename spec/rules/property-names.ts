import { type Rule, wholeDocument } from './read/rule.ts'
import { schemasIn } from './read/schemas.ts'
import { sourceNames } from './read/source-names.ts'
import { camelCase } from './read/words.ts'

export const rule: Rule = {
  id: 'property-names',
  message:
    'property names must be in camelCase, except names that the specification source spells differently.',
  why: 'Consistent names are easier to remember and lead to predictable names in generated code.',
  scope: 'style',
  readsSingleNodes: true,
  given: wholeDocument,
  function(document) {
    return schemasIn(document)
      .filter(
        ({ place, name }) =>
          place === 'property' && !camelCase.test(name) && !Object.hasOwn(sourceNames, name),
      )
      .map(({ name, path }) => ({ message: `the property name is ${name}`, path }))
  },
}

import { type Rule, wholeDocument } from './read/rule.ts'
import { schemasIn } from './read/schemas.ts'
import { sourceNames } from './read/source-names.ts'
import { camelCase } from './read/words.ts'

export const rule: Rule = {
  id: 'property-names',
  message: 'properties are camelCase, but for the names that the source states.',
  given: wholeDocument,
  function(document) {
    return schemasIn(document)
      .filter(
        ({ place, name }) =>
          place === 'property' && !camelCase.test(name) && !Object.hasOwn(sourceNames, name),
      )
      .map(({ name, path }) => ({ message: `the property is ${name}`, path }))
  },
}

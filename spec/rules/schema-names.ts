import { asNode, fieldsOf } from './read/json.ts'
import { type Rule, wholeDocument } from './read/rule.ts'
import { pascalCase } from './read/words.ts'

export const rule: Rule = {
  id: 'schema-names',
  message: 'schema names must be in PascalCase.',
  why: 'Code generators name classes after schemas.',
  scope: 'style',
  readsSingleNodes: true,
  given: wholeDocument,
  function(document) {
    return fieldsOf(asNode(asNode(document).components).schemas, ['components', 'schemas'])
      .filter(({ key }) => !pascalCase.test(key))
      .map(({ key, path }) => ({ message: `the schema name is ${key}`, path }))
  },
}

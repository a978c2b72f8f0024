import { effective } from './read/reference.ts'
import { type Rule, wholeDocument } from './read/rule.ts'
import { admits, schemasIn } from './read/schemas.ts'

const secret = /(password|secret|privatekey|apikey|_token|token)$/i

export const rule: Rule = {
  id: 'secrets-marked',
  message: 'a property with the name of a secret must be x-secret, so that it is never logged.',
  why: 'The server and the client hide marked fields in logs.',
  scope: 'ours',
  readsSingleNodes: true,
  given: wholeDocument,
  function(document) {
    return schemasIn(document)
      .filter(({ place, name }) => place === 'property' && secret.test(name))
      .filter(({ value }) => {
        const schema = effective(document, value)
        return admits(schema, 'string') && schema['x-secret'] !== true
      })
      .map(({ name, path }) => ({ message: `${name} is not x-secret`, path }))
  },
}

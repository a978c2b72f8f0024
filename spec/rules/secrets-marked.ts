import { effective } from './read/reference.ts'
import { type Rule, wholeDocument } from './read/rule.ts'
import { admits, schemasIn } from './read/schemas.ts'

const secret = /(password|secret|privatekey|apikey|_token|token)$/i

export const rule: Rule = {
  id: 'secrets-marked',
  message:
    'a string property with a name that ends like a secret, such as password or token, must have x-secret: true.',
  why: "The server and the client don't log the values of properties with x-secret.",
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
      .map(({ name, path }) => ({ message: `${name} is not marked with x-secret`, path }))
  },
}

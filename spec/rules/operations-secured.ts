import { asList, asNode } from './read/json.ts'
import { isApiOperation, operationsIn } from './read/operations.ts'
import { type Finding, type Rule, wholeDocument } from './read/rule.ts'

const apiSchemes = ['digest', 'serviceAccount']
const tokenSchemes = ['clientCredentials']

export const rule: Rule = {
  id: 'operations-secured',
  message:
    'every operation must require credentials. The token endpoint must accept clientCredentials, and all other operations must accept digest and serviceAccount.',
  why: 'Anyone can call an operation that has no security requirement.',
  scope: 'ours',
  given: wholeDocument,
  function(document) {
    const root = asNode(document)
    const declared = asNode(asNode(root.components).securitySchemes)
    return operationsIn(document).flatMap((operation): Finding[] => {
      const requirements = asList(operation.value.security ?? root.security)
      const wanted = isApiOperation(operation) ? apiSchemes : tokenSchemes
      const named = requirements.map((each) => Object.keys(asNode(each)))
      const missing = wanted.filter(
        (scheme) => !named.some((each) => each.length === 1 && each[0] === scheme),
      )
      const faults = [
        ...(named.some((each) => each.length === 0)
          ? ['the operation can be called without credentials']
          : []),
        ...missing.map((scheme) => `the operation does not accept ${scheme}`),
        ...named
          .flat()
          .filter((scheme) => !wanted.includes(scheme) || !Object.hasOwn(declared, scheme))
          .map((scheme) => `the operation must not accept ${scheme}`),
      ]
      return faults.map((message) => ({ message, path: operation.path }))
    })
  },
}

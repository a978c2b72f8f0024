import { operationAt } from './read/operations.ts'
import { answeredComponent, getterAt } from './read/resources.ts'
import { everyOperation, type Rule } from './read/rule.ts'

export const rule: Rule = {
  id: 'update-answers-the-resource',
  message: 'an update answers with the schema that the GET of the same path answers with.',
  given: everyOperation,
  function(_, { path, document }) {
    const operation = operationAt(document, path)
    if (!operation || !['put', 'patch'].includes(operation.method)) return []
    const getter = getterAt(document, operation.url)
    if (!getter) return []
    const [answered, one] = [operation, getter].map((each) => answeredComponent(document, each))
    return answered === one
      ? []
      : [{ message: `it answers with ${answered} and ${getter.id} with ${one}`, path }]
  },
}

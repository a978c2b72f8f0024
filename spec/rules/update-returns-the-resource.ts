import { operationAt } from './read/operations.ts'
import { getterAt, returnedComponent } from './read/resources.ts'
import { everyOperation, type Rule } from './read/rule.ts'

export const rule: Rule = {
  id: 'update-returns-the-resource',
  message: 'an update operation must return the same schema as the GET operation of the same path.',
  why: "Clients can use one type for a resource, and don't need to read the resource after updating it.",
  scope: 'style',
  given: everyOperation,
  function(_, { path, document }) {
    const operation = operationAt(document, path)
    if (!operation || !['put', 'patch'].includes(operation.method)) return []
    const getter = getterAt(document, operation.url)
    if (!getter) return []
    const [returned, one] = [operation, getter].map((each) => returnedComponent(document, each))
    return returned === one
      ? []
      : [
          {
            message: `the response schema is ${returned}, but ${getter.id} returns ${one}`,
            path,
          },
        ]
  },
}

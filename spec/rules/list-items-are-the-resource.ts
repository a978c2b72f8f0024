import { operationAt } from './read/operations.ts'
import { getterBeneath, listedComponent, returnedComponent } from './read/resources.ts'
import { everyOperation, type Rule } from './read/rule.ts'

export const rule: Rule = {
  id: 'list-items-are-the-resource',
  message: 'list items must have the same schema as the response of the GET operation of one item.',
  why: 'Clients can use one type for a resource, whether they list it or get it.',
  scope: 'style',
  given: everyOperation,
  function(_, { path, document }) {
    const operation = operationAt(document, path)
    if (operation?.method !== 'get') return []
    const getter = getterBeneath(document, operation.url)
    const item = listedComponent(document, operation)
    const one = getter ? returnedComponent(document, getter) : undefined
    // If that operation also returns a list, there is nothing to compare.
    if (!item || !one || !getter || listedComponent(document, getter) !== undefined || item === one) return []
    return [
      { message: `the item schema is ${item}, but the response schema of ${getter.id} is ${one}`, path },
    ]
  },
}

import { operationAt } from './read/operations.ts'
import { getterBeneath, listedComponent, returnedComponent } from './read/resources.ts'
import { everyOperation, type Rule } from './read/rule.ts'

export const rule: Rule = {
  id: 'list-items-are-the-resource',
  message: 'list items must have the same schema as the response of the operation that gets a single item.',
  why: 'Clients can use the same type for listed resources and single resources.',
  scope: 'style',
  given: everyOperation,
  function(_, { path, document }) {
    const operation = operationAt(document, path)
    if (operation?.method !== 'get') return []
    const getter = getterBeneath(document, operation.url)
    const item = listedComponent(document, operation)
    const one = getter ? returnedComponent(document, getter) : undefined
    // If the operation for a single item also returns a list, there is nothing to compare.
    if (!item || !one || !getter || listedComponent(document, getter) !== undefined || item === one) return []
    return [{ message: `the item schema is ${item}, but ${getter.id} returns ${one}`, path }]
  },
}

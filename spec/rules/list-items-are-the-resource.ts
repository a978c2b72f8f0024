import { operationAt } from './read/operations.ts'
import { answeredComponent, getterBeneath, listedComponent } from './read/resources.ts'
import { everyOperation, type Rule } from './read/rule.ts'

export const rule: Rule = {
  id: 'list-items-are-the-resource',
  message: 'the items of a list have the schema that the GET of one item answers with.',
  given: everyOperation,
  function(_, { path, document }) {
    const operation = operationAt(document, path)
    if (operation?.method !== 'get') return []
    const getter = getterBeneath(document, operation.url)
    const item = listedComponent(document, operation)
    const one = getter ? answeredComponent(document, getter) : undefined
    // The getter of a list of lists answers with a list itself; there is nothing to compare with.
    if (!item || !one || !getter || listedComponent(document, getter) !== undefined || item === one) return []
    return [{ message: `its items are ${item} and ${getter.id} answers with ${one}`, path }]
  },
}

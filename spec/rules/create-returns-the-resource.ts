import { operationAt } from './read/operations.ts'
import { getterAt, getterBeneath, listedComponent, returnedComponent } from './read/resources.ts'
import { everyOperation, type Rule } from './read/rule.ts'

export const rule: Rule = {
  id: 'create-returns-the-resource',
  message:
    "a create operation must return 200 or 201, with the same response schema as the resource's GET operation.",
  why: "Clients can use one type for a resource, and don't need to read the resource after creating it.",
  scope: 'style',
  given: everyOperation,
  function(_, { path, document }) {
    const view = operationAt(document, path)
    if (view?.method !== 'post' || !view.id.startsWith('create')) return []
    const returned = returnedComponent(document, view)
    if (!returned) return [{ message: 'the response is not a named schema', path }]
    const getter = getterBeneath(document, view.url) ?? getterAt(document, view.url)
    const one =
      getter && listedComponent(document, getter) === undefined
        ? returnedComponent(document, getter)
        : returned
    return one === returned
      ? []
      : [
          {
            message: `the response schema is ${returned}, but ${getter?.id} returns ${one}`,
            path,
          },
        ]
  },
}

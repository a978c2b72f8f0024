import { operationAt } from './read/operations.ts'
import { answeredComponent, getterAt, getterBeneath, listedComponent } from './read/resources.ts'
import { everyOperation, type Rule } from './read/rule.ts'

export const rule: Rule = {
  id: 'create-answers-the-resource',
  message: 'a create answers 200 or 201 with the schema that the GET of the resource answers with.',
  given: everyOperation,
  function(_, { path, document }) {
    const view = operationAt(document, path)
    if (view?.method !== 'post' || !view.id.startsWith('create')) return []
    const answered = answeredComponent(document, view)
    if (!answered) return [{ message: 'it answers with no schema of its own', path }]
    const getter = getterBeneath(document, view.url) ?? getterAt(document, view.url)
    const one =
      getter && listedComponent(document, getter) === undefined
        ? answeredComponent(document, getter)
        : answered
    return one === answered
      ? []
      : [{ message: `it answers with ${answered} and ${getter?.id} with ${one}`, path }]
  },
}

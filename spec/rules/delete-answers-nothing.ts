import { contentOf, operationAt, parametersOf, responsesOf } from './read/operations.ts'
import { answeredComponent, getterAt } from './read/resources.ts'
import { everyOperation, type Rule } from './read/rule.ts'

/** Source 4.7 and 4.10: these two answer with the resource that they end. */
const returnsResource = ['deleteBackupSchedules', 'endOutageSimulation']

export const rule: Rule = {
  id: 'delete-answers-nothing',
  message: 'a DELETE answers 204 without a body, and 404 where its path names a resource.',
  given: everyOperation,
  function(_, { path, document }) {
    const operation = operationAt(document, path)
    if (operation?.method !== 'delete') return []
    const responses = responsesOf(document, operation)
    const wants = returnsResource.includes(operation.id) ? '200' : '204'
    const success = responses.find(({ status }) => status.startsWith('2'))
    const named = parametersOf(document, operation).some(({ value }) => value.in === 'path')
    const getter = getterAt(document, operation.url)
    const faults = [
      ...(success?.status === wants ? [] : [`it answers ${success?.status ?? 'nothing'} and not ${wants}`]),
      ...(success && wants === '204' && contentOf(success).length > 0 ? ['its answer has a body'] : []),
      ...(named && !responses.some(({ status }) => status === '404') ? ['it does not answer 404'] : []),
      ...(wants === '200' &&
      getter &&
      answeredComponent(document, operation) !== answeredComponent(document, getter)
        ? [`it does not answer with what ${getter.id} does`]
        : []),
    ]
    return faults.map((message) => ({ message, path: [...path, 'responses'] }))
  },
}

import { contentOf, operationAt, parametersOf, responsesOf } from './read/operations.ts'
import { getterAt, returnedComponent } from './read/resources.ts'
import { everyOperation, type Rule } from './read/rule.ts'

/**
 * The only two DELETE operations that return a resource, according to sections 4.7 and 4.10 of the specification
 * source.
 */
const returnsResource = ['deleteBackupSchedules', 'endOutageSimulation']

export const rule: Rule = {
  id: 'delete-returns-nothing',
  message: 'a DELETE operation must return 204 without a body, and declare 404 if its path has parameters.',
  why: 'Clients can treat every DELETE operation the same way.',
  scope: 'style',
  given: everyOperation,
  function(_, { path, document }) {
    const operation = operationAt(document, path)
    if (operation?.method !== 'delete') return []
    const responses = responsesOf(document, operation)
    const expected = returnsResource.includes(operation.id) ? '200' : '204'
    const success = responses.find(({ status }) => status.startsWith('2'))
    const named = parametersOf(document, operation).some(({ value }) => value.in === 'path')
    const getter = getterAt(document, operation.url)
    const faults = [
      ...(success?.status === expected
        ? []
        : [`the success status is ${success?.status ?? 'missing'} instead of ${expected}`]),
      ...(success && expected === '204' && contentOf(success).some(({ value }) => 'schema' in value)
        ? ['the response has a body']
        : []),
      ...(named && !responses.some(({ status }) => status === '404') ? ['the 404 response is missing'] : []),
      ...(expected === '200' &&
      getter &&
      returnedComponent(document, operation) !== returnedComponent(document, getter)
        ? [`the response schema is not the schema that ${getter.id} returns`]
        : []),
    ]
    return faults.map((message) => ({ message, path: [...path, 'responses'] }))
  },
}

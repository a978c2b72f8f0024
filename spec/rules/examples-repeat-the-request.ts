import { requestExamples, successExamples } from './read/body-examples.ts'
import { isNode, type JsonPath } from './read/json.ts'
import { operationAt } from './read/operations.ts'
import { everyOperation, type Finding, type Rule } from './read/rule.ts'

export const rule: Rule = {
  id: 'examples-repeat-the-request',
  message:
    'in create and update operations, the example response must contain the values of the example request. The rule compares examples that have the same name. If there are none, it compares the first request example with the first response example.',
  why: 'Readers compare the request with its response. If a value differs, it looks as if the server ignored the field.',
  scope: 'style',
  given: everyOperation,
  function(_, { path, document }) {
    const operation = operationAt(document, path)
    if (!operation || !isWrite(operation.method, operation.id)) return []
    const requests = requestExamples(document, operation)
    const responses = successExamples(document, operation)
    if (requests.length === 0) return []
    return responses.flatMap((response, index): Finding[] => {
      const pair =
        requests.find(({ name }) => name === response.name) ?? (index === 0 ? requests[0] : undefined)
      return pair
        ? differences(pair.value, response.value, response.path)
        : [{ message: `no example request is named ${response.name}`, path: response.path }]
    })
  },
}

const isWrite = (method: string, id: string): boolean =>
  method === 'put' || method === 'patch' || (method === 'post' && id.startsWith('create'))

/** Returns the fields that are in both bodies but have different values. */
function differences(sent: unknown, returned: unknown, path: JsonPath): Finding[] {
  if (Array.isArray(sent) && Array.isArray(returned))
    return sent.length === returned.length
      ? sent.flatMap((item, index) => differences(item, returned[index], [...path, index]))
      : [{ message: `the request has ${sent.length} items, but the response has ${returned.length}`, path }]
  if (isNode(sent) && isNode(returned))
    return Object.entries(sent)
      .filter(([name]) => name in returned)
      .flatMap(([name, value]) => differences(value, returned[name], [...path, name]))
  return sent === returned
    ? []
    : [
        {
          message: `the request has ${JSON.stringify(sent)}, but the response has ${JSON.stringify(returned)}`,
          path,
        },
      ]
}

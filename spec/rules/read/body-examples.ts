import { fieldsOf, type JsonPath, type Located } from './json.ts'
import { contentOf, type OperationView, requestOf, responsesOf } from './operations.ts'
import { follow } from './reference.ts'

export interface BodyExample {
  name: string
  value: unknown
  path: JsonPath
}

export function requestExamples(document: unknown, operation: OperationView): BodyExample[] {
  const request = requestOf(document, operation)
  return request ? bodyExamples(document, request) : []
}

/** Returns the examples of all responses with a success status. */
export function successExamples(document: unknown, operation: OperationView): BodyExample[] {
  return responsesOf(document, operation)
    .filter(({ status }) => status.startsWith('2'))
    .flatMap((response) => bodyExamples(document, response))
}

function bodyExamples(document: unknown, body: Located): BodyExample[] {
  return contentOf(body).flatMap((content) => {
    const named = fieldsOf(content.value.examples, [...content.path, 'examples']).map(
      ({ key, value, path }) => {
        const target = follow(document, value, path)
        return { name: key, value: target.value.value, path: [...target.path, 'value'] }
      },
    )
    if (!('example' in content.value)) return named
    return [...named, { name: '', value: content.value.example, path: [...content.path, 'example'] }]
  })
}

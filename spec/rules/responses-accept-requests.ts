import { asList, asNode, type JsonNode } from './read/json.ts'
import { contentOf, operationAt, requestOf, successOf } from './read/operations.ts'
import { effective } from './read/reference.ts'
import { everyOperation, type Finding, type Rule } from './read/rule.ts'

const lower = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems']
const upper = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems']

export const rule: Rule = {
  id: 'responses-accept-requests',
  message:
    'if a request and its response have a field with the same name, the response schema must allow every value that the request schema allows for this field.',
  why: 'If the response schema is stricter than the request schema, clients may reject values that they sent.',
  scope: 'any',
  given: everyOperation,
  function(_, { path, document }) {
    const operation = operationAt(document, path)
    const request = operation && requestOf(document, operation)
    const response = operation && successOf(document, operation)
    const [sent] = request ? contentOf(request) : []
    const [returned] = response ? contentOf(response) : []
    if (!sent || !returned) return []
    const read = asNode(effective(document, returned.value.schema).properties)
    const written = Object.entries(asNode(effective(document, sent.value.schema).properties))
    return written.flatMap(([name, schema]): Finding[] => {
      if (!Object.hasOwn(read, name)) return []
      const keyword = narrowerIn(effective(document, read[name]), effective(document, schema))
      return keyword === undefined
        ? []
        : [{ message: `${keyword} of ${name} allows fewer values in the response than in the request`, path }]
    })
  },
}

/** Returns a keyword that makes the response schema reject a value that the request schema accepts. */
function narrowerIn(response: JsonNode, request: JsonNode): string | undefined {
  const values = request.enum === undefined ? undefined : asList(request.enum)
  if (Array.isArray(response.enum) && !values?.every((value) => asList(response.enum).includes(value)))
    return 'enum'
  const types = [response.type].flat()
  if (response.type !== undefined && ![request.type].flat().every((type) => types.includes(type)))
    return 'type'
  if (values) return undefined
  return [...lower, ...upper].find((keyword) => {
    const [own, other] = [response[keyword], request[keyword]]
    if (typeof own !== 'number') return false
    return typeof other !== 'number' || (lower.includes(keyword) ? own > other : own < other)
  })
}

import { asList, asNode, fieldsOf, isNode, type JsonPath, type Located } from './read/json.ts'
import { nodesIn } from './read/nodes.ts'
import { follow } from './read/reference.ts'
import { type Finding, type Rule, wholeDocument } from './read/rule.ts'
import { schemasIn } from './read/schemas.ts'
import { type Direction, validatorOf } from './read/validator.ts'

/** An example or a default value, and the schema that it must match. */
interface Shown {
  value: unknown
  path: JsonPath
  schema: JsonPath
  direction: Direction
}

export const rule: Rule = {
  id: 'examples-valid',
  message: 'examples and defaults must match their schema.',
  why: 'Readers copy examples, so an invalid example leads to requests that the server rejects.',
  scope: 'any',
  given: wholeDocument,
  function(document) {
    const { faultOf } = validatorOf(document)
    return [...ofSchemas(document), ...ofCarriers(document)].flatMap(
      ({ value, path, schema, direction }): Finding[] => {
        const fault = faultOf(value, schema, direction)
        return fault === undefined ? [] : [{ message: fault.message, path: [...path, ...fault.at] }]
      },
    )
  },
}

function ofSchemas(document: unknown): Shown[] {
  return schemasIn(document).flatMap(({ value, path }) => {
    const shown: [unknown, JsonPath][] = asList(value.examples).map((example, index) => [
      example,
      [...path, 'examples', index],
    ])
    if ('example' in value) shown.push([value.example, [...path, 'example']])
    if ('default' in value) shown.push([value.default, [...path, 'default']])
    return shown.map(([example, at]) => ({
      value: example,
      path: at,
      schema: path,
      direction: 'both' as const,
    }))
  })
}

/** Returns the examples in parameters, headers and media types. */
function ofCarriers(document: unknown): Shown[] {
  return nodesIn(document)
    .filter(({ value, path }) => isNode(value.schema) && isCarrier(path))
    .flatMap((carrier) => {
      const schema = [...carrier.path, 'schema']
      const direction = directionOf(carrier.path)
      return examplesOf(document, carrier).map((shown) => ({ ...shown, schema, direction }))
    })
}

function isCarrier(path: JsonPath): boolean {
  return path.some((key) => key === 'content' || key === 'headers' || key === 'parameters')
}

function directionOf(path: JsonPath): Direction {
  if (path.includes('requestBody') || path.includes('requestBodies')) return 'request'
  return path.includes('responses') ? 'response' : 'both'
}

function examplesOf(document: unknown, { value, path }: Located): Pick<Shown, 'value' | 'path'>[] {
  const named = fieldsOf(value.examples, [...path, 'examples']).map((each) =>
    follow(document, each.value, each.path),
  )
  const shown = named
    .filter((each) => 'value' in asNode(each.value))
    .map((each) => ({ value: each.value.value, path: [...each.path, 'value'] }))
  return 'example' in value ? [...shown, { value: value.example, path: [...path, 'example'] }] : shown
}

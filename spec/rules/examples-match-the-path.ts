import { type BodyExample, requestExamples, successExamples } from './read/body-examples.ts'
import { asList, asNode, asText, fieldsOf, isNode, type JsonPath } from './read/json.ts'
import { type OperationView, operationAt, parametersOf } from './read/operations.ts'
import { resourceIn, valuesIn } from './read/paths.ts'
import { everyOperation, type Finding, type Rule } from './read/rule.ts'

export const rule: Rule = {
  id: 'examples-match-the-path',
  message:
    "IDs in an operation's examples must be examples of the path parameters with the same names. The first response example must contain the first example of each path parameter. A resource's ID must match the ID in its self link.",
  why: 'Readers who send the example values expect to get the example response.',
  scope: 'style',
  given: everyOperation,
  function(_, { path, document }) {
    const operation = operationAt(document, path)
    if (!operation) return []
    const parameters = pathExamples(document, operation)
    const [first, ...others] = successExamples(document, operation)
    const any = [...requestExamples(document, operation), ...others]
    const expected = new Map([...parameters].map(([name, values]) => [name, values.slice(0, 1)]))
    return [
      ...(first ? mismatches(operation, first, expected) : []),
      ...any.flatMap((each) => mismatches(operation, each, parameters)),
      ...[first, ...others].flatMap((each) => (each ? ownIdentifiers(document, each) : [])),
    ]
  },
}

/**
 * Returns the examples of each path parameter. If the operation and the path item define the same parameter, uses the
 * operation's definition.
 */
function pathExamples(document: unknown, operation: OperationView): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { value } of parametersOf(document, operation)) {
    if (value.in !== 'path') continue
    const named = Object.values(asNode(value.examples)).map((each) => asNode(each).value)
    const shown = [...('example' in value ? [value.example] : []), ...named]
    if (shown.length > 0) found.set(asText(value.name), shown.map(String))
  }
  return found
}

function mismatches(
  { url }: OperationView,
  { value, path }: BodyExample,
  expected: Map<string, string[]>,
): Finding[] {
  return resourcesIn(value, path).flatMap((resource) => {
    const fields = Object.entries(resource.value)
      .filter(([, field]) => typeof field === 'string')
      .map(([name, field]) => ({ name, field, path: [...resource.path, name] }))
    const linked = selfLinks(resource.value, resource.path).flatMap(({ href, path: at }) =>
      valuesIn(url, href).map(([name, field]) => ({ name, field, path: at })),
    )
    return [...fields, ...linked].flatMap(({ name, field, path: at }) => {
      const values = expected.get(name)
      if (!values || values.includes(String(field))) return []
      return [
        {
          message: `${name} is ${field}, but the example of the path parameter is ${values.join(' or ')}`,
          path: at,
        },
      ]
    })
  })
}

function ownIdentifiers(document: unknown, { value, path }: BodyExample): Finding[] {
  const urls = Object.keys(asNode(asNode(document).paths))
  return resourcesIn(value, path).flatMap((resource) =>
    selfLinks(resource.value, resource.path).flatMap(({ href, path: at }) => {
      const linked = resourceIn(urls, href)
      if (!linked) return []
      const names = ['id', '_id', linked.name.toLowerCase()]
      const own = Object.entries(resource.value).filter(([name]) => names.includes(name.toLowerCase()))
      const isSame = own.length === 0 || own.some(([, field]) => field === linked.value)
      return isSame
        ? []
        : [
            {
              message: `the self link refers to ${linked.value}, but the resource has a different ID`,
              path: at,
            },
          ]
    }),
  )
}

/** Returns the value of an example. If the value contains lists, also returns the items in these lists. */
function resourcesIn(value: unknown, path: JsonPath) {
  if (Array.isArray(value)) return fieldsOf(value, path)
  const lists = Object.entries(asNode(value)).filter(
    ([name, field]) => Array.isArray(field) && name !== 'links',
  )
  const items = lists.flatMap(([name, list]) => fieldsOf(list, [...path, name]))
  return [...(isNode(value) ? [{ value, path }] : []), ...items.filter((each) => 'links' in each.value)]
}

function selfLinks(resource: Record<string, unknown>, path: JsonPath) {
  return asList(resource.links).flatMap((link, index) => {
    const { href, rel } = asNode(link)
    return rel === 'self' ? [{ href: asText(href), path: [...path, 'links', index, 'href'] }] : []
  })
}

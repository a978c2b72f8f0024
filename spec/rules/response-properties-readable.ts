import { asList, asNode, asTexts, isNode, type Located } from './read/json.ts'
import { contentOf, operationAt, successOf } from './read/operations.ts'
import { reachableSchemas } from './read/reachable.ts'
import { effective } from './read/reference.ts'
import { everyOperation, type Finding, type Rule } from './read/rule.ts'

export const rule: Rule = {
  id: 'response-properties-readable',
  message:
    'a response schema must not have write-only properties at the top level, and must not require write-only properties at any level. Response examples must not contain write-only properties.',
  why: 'Servers never return write-only fields, such as passwords.',
  scope: 'style',
  given: everyOperation,
  function(_, { path, document }) {
    const operation = operationAt(document, path)
    const response = operation ? successOf(document, operation) : undefined
    if (!response) return []
    return contentOf(response).flatMap((content) => {
      const schema = { value: asNode(content.value.schema), path: [...content.path, 'schema'] }
      const reached = reachableSchemas(document, schema)
      const hidden = new Set(reached.flatMap(({ value }) => writeOnlyFields(document, value)))
      return [
        ...reached.flatMap(({ value, path: at, depth }) =>
          faultsOf(document, { value, path: at }, depth === 0),
        ),
        ...leaks(content, hidden),
      ]
    })
  },
}

function writeOnlyFields(document: unknown, schema: Record<string, unknown>): string[] {
  return Object.entries(asNode(schema.properties))
    .filter(([, property]) => effective(document, property).writeOnly === true)
    .map(([name]) => name)
}

function faultsOf(document: unknown, { value, path }: Located, isResponse: boolean): Finding[] {
  const required = asTexts(value.required)
  return writeOnlyFields(document, value)
    .filter((name) => isResponse || required.includes(name))
    .map((name) => ({ message: `${name} is write-only`, path: [...path, 'properties', name] }))
}

function leaks({ value, path }: Located, hidden: Set<string>): Finding[] {
  return Object.entries(asNode(value.examples)).flatMap(([name, example]) =>
    namesIn(asNode(example).value)
      .filter((field) => hidden.has(field))
      .map((field) => ({
        message: `the example contains the write-only property ${field}`,
        path: [...path, 'examples', name],
      })),
  )
}

function namesIn(value: unknown): string[] {
  if (isNode(value)) return Object.entries(value).flatMap(([name, child]) => [name, ...namesIn(child)])
  return asList(value).flatMap(namesIn)
}

import { asList, asNode, asTexts, isNode, type Located } from './read/json.ts'
import { contentOf, operationAt, successOf } from './read/operations.ts'
import { reachableSchemas } from './read/reachable.ts'
import { effective } from './read/reference.ts'
import { everyOperation, type Finding, type Rule } from './read/rule.ts'

export const rule: Rule = {
  id: 'response-members-readable',
  message:
    'an answer has no member of its own that is write-only, requires none anywhere, and shows none in an example.',
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
        message: `the example shows ${field}, which is write-only`,
        path: [...path, 'examples', name],
      })),
  )
}

function namesIn(value: unknown): string[] {
  if (isNode(value)) return Object.entries(value).flatMap(([name, child]) => [name, ...namesIn(child)])
  return asList(value).flatMap(namesIn)
}

import { asNode, asTexts, type JsonNode } from './read/json.ts'
import { contentOf, isApiOperation, operationAt, responsesOf } from './read/operations.ts'
import { effective } from './read/reference.ts'
import { everyOperation, type Finding, type Rule } from './read/rule.ts'

export const rule: Rule = {
  id: 'links-carried',
  message:
    'links must be a required array in every resource, in every paginated list, and in each item of a paginated list.',
  why: 'In the specification source, every resource and every paginated list has links.',
  scope: 'ours',
  given: everyOperation,
  function(_, { path, document }) {
    const operation = operationAt(document, path)
    // According to the specification source, tokens have no links (section 2.12), and neither do lists that are arrays
    // (section 4).
    if (!operation || !isApiOperation(operation)) return []
    return responsesOf(document, operation)
      .filter(({ status }) => status.startsWith('2'))
      .flatMap(contentOf)
      .filter(({ value }) => 'schema' in value)
      .flatMap((content): Finding[] => {
        const at = [...content.path, 'schema']
        const schema = effective(document, content.value.schema)
        if (schema.type === 'array') return []
        if (!carries(document, schema)) return [{ message: 'the schema does not require links', path: at }]
        const { items } = effective(document, asNode(schema.properties).results)
        return items === undefined || carries(document, effective(document, items))
          ? []
          : [{ message: 'the schema of the results does not require links', path: at }]
      })
  },
}

/**
 * Returns whether every value of a schema has links. For `oneOf` and `anyOf`, all branches must require links. For
 * `allOf`, one part is enough.
 */
function carries(document: unknown, schema: JsonNode, depth = 0): boolean {
  if (depth > deepest) return false
  const links = effective(document, asNode(schema.properties).links)
  if (links.type === 'array' && asTexts(schema.required).includes('links')) return true
  const among = (list: unknown) =>
    (Array.isArray(list) ? list : []).map((each) => carries(document, effective(document, each), depth + 1))
  const choices = [schema.oneOf, schema.anyOf].map(among).filter(({ length }) => length > 0)
  return among(schema.allOf).includes(true) || choices.some((each) => !each.includes(false))
}

/** The maximum recursion depth. A limit is necessary because schemas can refer to themselves. */
const deepest = 10

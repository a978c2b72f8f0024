import { asNode, asText, isNode } from './read/json.ts'
import { nodesIn } from './read/nodes.ts'
import { type Rule, wholeDocument } from './read/rule.ts'

/** Matches words that must be identifiers: camelCase, PascalCase with at least two words, or CONSTANT_CASE. */
const identifier = /^([a-z][a-z0-9]*([A-Z][a-zA-Z0-9]*)|([A-Z][a-z0-9]+){2,}|[A-Z][A-Z0-9]*(_[A-Z0-9]+)+)$/

export const rule: Rule = {
  id: 'names-in-descriptions',
  message:
    'a name in backticks must be an operation, field, parameter, schema or value in some version of the document.',
  why: "Descriptions often keep the old name after a rename. Readers then search for something that doesn't exist.",
  scope: 'style',
  given: wholeDocument,
  function(document, { documents }) {
    const others = [...documents.values()]
    const isKnown = (name: string) => [document, ...others].some((each) => namesIn(each).has(name))
    return nodesIn(document).flatMap(({ value, path }) =>
      ['description', 'summary'].flatMap((key) =>
        [...asText(value[key]).matchAll(/`([^`]+)`/g)]
          .map(([, name = '']) => name)
          .filter((name) => identifier.test(name) && !isKnown(name))
          .map((name) => ({ message: `nothing in the document is named ${name}`, path: [...path, key] })),
      ),
    )
  },
}

const cache = new WeakMap<object, Set<string>>()

/** Returns all keys and texts in a document. Descriptions are excluded. */
function namesIn(document: unknown): Set<string> {
  const root = asNode(document)
  const found = cache.get(root) ?? new Set()
  if (found.size === 0) collect(root, found)
  cache.set(root, found)
  return found
}

function collect(value: unknown, known: Set<string>): void {
  // `x-deprecation` can refer to a successor as `name@version`, so remove the version.
  if (typeof value === 'string') known.add(value.replace(/@.*/, ''))
  if (Array.isArray(value)) for (const item of value) collect(item, known)
  if (!isNode(value)) return
  for (const [key, field] of Object.entries(value)) {
    known.add(key)
    if (!(['description', 'summary'].includes(key) && typeof field === 'string')) collect(field, known)
  }
}

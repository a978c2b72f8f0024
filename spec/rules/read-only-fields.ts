import { asNode, type JsonPath } from './read/json.ts'
import { contentOf, isApiOperation, type OperationView, operationsIn, requestOf } from './read/operations.ts'
import { effective } from './read/reference.ts'
import { returnedComponent } from './read/resources.ts'
import { type Rule, wholeDocument } from './read/rule.ts'

export const rule: Rule = {
  id: 'read-only-fields',
  message: 'if no request can set a field of a resource, the field must be readOnly.',
  why: 'Clients often read a resource, change it and send it back. They need to know which fields the server ignores.',
  scope: 'style',
  given: wholeDocument,
  function(document) {
    const groups = new Map<string, OperationView[]>()
    for (const operation of operationsIn(document).filter(isApiOperation)) {
      const name = returnedComponent(document, operation)
      if (name !== undefined) groups.set(name, [...(groups.get(name) ?? []), operation])
    }
    return [...groups].flatMap(([name, operations]) => {
      if (!isResource(operations)) return []
      const written = new Set(operations.flatMap((operation) => fieldsOfRequest(document, operation)))
      const path: JsonPath = ['components', 'schemas', name, 'properties']
      return fieldsAt(document, { $ref: `#/components/schemas/${name}` })
        .filter(([field, schema]) => !written.has(field) && effective(document, schema).readOnly !== true)
        .map(([field]) => ({ message: `no request can set ${field} of ${name}`, path: [...path, field] }))
    })
  },
}

/**
 * Returns whether a component is a resource, which means that some operations return it and others create or replace
 * it.
 */
function isResource(operations: OperationView[]): boolean {
  const methods = operations.map(({ method }) => method)
  return methods.includes('get') && (methods.includes('post') || methods.includes('put'))
}

function fieldsOfRequest(document: unknown, operation: OperationView): string[] {
  const request = requestOf(document, operation)
  const contents = request ? contentOf(request) : []
  return contents.flatMap(({ value }) => fieldsAt(document, value.schema).map(([name]) => name))
}

const fieldsAt = (document: unknown, schema: unknown): [string, unknown][] =>
  Object.entries(asNode(effective(document, schema).properties))

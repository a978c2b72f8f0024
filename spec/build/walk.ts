import {
  type HttpMethod,
  methods,
  type OpenApiDocument,
  type Operation,
  type PathItem,
} from '../src/model.ts'

/** Yields all operations in a document, with their locations. */
export function* operationsOf(document: OpenApiDocument) {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of methods) {
      const operation = item[method]
      if (operation) yield { path, item, method, operation } satisfies OperationPlace
    }
  }
}

export interface OperationPlace {
  path: string
  item: PathItem
  method: HttpMethod
  operation: Operation
}

/**
 * Calls `visit` for every object in a JSON value and replaces the object with the result. Visits nested objects before
 * the objects that contain them.
 */
export function rewrite(value: unknown, visit: (node: Record<string, unknown>) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => rewrite(item, visit))
  if (value === null || typeof value !== 'object') return value
  const copy = Object.fromEntries(Object.entries(value).map(([key, child]) => [key, rewrite(child, visit)]))
  return visit(copy)
}

import { asNode, fieldsOf, type JsonNode, type Located } from './json.ts'
import { follow } from './reference.ts'
import { childrenOf, type SchemaView, schemasIn } from './schemas.ts'

const cache = new WeakMap<JsonNode, SchemaView[]>()

/**
 * Returns all open schemas. A schema is open if it has `x-strength: open`. Schemas inside an open schema, and schemas
 * that it refers to, are also open unless their own `x-strength` is `stated` or `decided`.
 */
export function openSchemasIn(document: unknown): SchemaView[] {
  const root = asNode(document)
  const known = cache.get(root)
  if (known) return known
  const found = new Map<JsonNode, SchemaView>()
  const visit = (schema: SchemaView): void => {
    if (found.has(schema.value)) return
    found.set(schema.value, schema)
    const target = follow(root, schema.value, schema.path)
    if (target.value !== schema.value && !isFirm(schema)) visit({ ...schema, ...target })
    for (const child of childrenOf(schema)) if (!isFirm(child)) visit(child)
  }
  for (const schema of schemasIn(root)) if (schema.value['x-strength'] === 'open') visit(schema)
  cache.set(root, [...found.values()])
  return [...found.values()]
}

/**
 * Returns whether a schema or a reference has its own `x-strength` that isn't `open`. An `x-strength` next to a
 * reference affects only this reference, and not other references to the same component.
 */
function isFirm({ value }: Located): boolean {
  return ['stated', 'decided'].includes(String(value['x-strength']))
}

/** Maps each branch of a union to the name of the union's discriminator property. */
export function discriminatedIn(document: unknown): Map<JsonNode, string> {
  const found = new Map<JsonNode, string>()
  for (const { value, path } of schemasIn(document)) {
    const name = asNode(value.discriminator).propertyName
    if (typeof name !== 'string') continue
    const branches = ['oneOf', 'anyOf'].flatMap((key) => fieldsOf(value[key], [...path, key]))
    for (const branch of branches) found.set(follow(document, branch.value, branch.path).value, name)
  }
  return found
}

import { asNode, fieldsOf, type JsonNode, type Located } from './json.ts'
import { follow } from './reference.ts'
import { childrenOf, type SchemaView, schemasIn } from './schemas.ts'

const cache = new WeakMap<JsonNode, SchemaView[]>()

/**
 * Returns every schema with `x-strength: open`. Also returns the schemas that an open schema contains or
 * refers to, unless their own `x-strength` is `stated` or `decided`.
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
 * Returns whether a schema isn't open. A reference's x-strength overrides the component's, which still
 * applies to other references.
 */
function isFirm({ value }: Located): boolean {
  return ['stated', 'decided'].includes(String(value['x-strength']))
}

/** Returns a document's discriminator properties, by branch. */
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

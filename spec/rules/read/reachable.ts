import type { JsonNode, JsonPath, Located } from './json.ts'
import { follow } from './reference.ts'
import { childrenOf } from './schemas.ts'

export interface Reached extends Located {
  /** 0 for the schema itself and the schemas it is composed of. Properties and items have higher numbers. */
  depth: number
}

const composing = new Set(['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'])

/**
 * Returns all schemas that apply to a value or to a part of it, with resolved references. Each schema is returned only
 * once, even if schemas refer to each other.
 */
export function reachableSchemas(document: unknown, schema: Located): Reached[] {
  const found: Reached[] = []
  const seen = new Set<JsonNode>()
  const visit = (value: JsonNode, path: JsonPath, depth: number): void => {
    const target = follow(document, value, path)
    if (seen.has(target.value)) return
    seen.add(target.value)
    found.push({ ...target, depth })
    for (const child of childrenOf(target))
      visit(
        child.value,
        child.path,
        composing.has(child.name) && child.place === 'keyword' ? depth : depth + 1,
      )
  }
  visit(schema.value, schema.path, 0)
  return found
}

import { asNode, asText, type JsonNode, type JsonPath, valueAt } from '../rules/read/json.ts'
import type { Collector } from './change.ts'
import type { Direction } from './direction.ts'

/** A schema and its document. A missing schema accepts every value. */
export interface Side {
  document: unknown
  schema: unknown
  path: JsonPath
}

export interface SchemaContext {
  direction: Direction
  operation: string
  collector: Collector
  /**
   * Whether the older schema is open, either because of its own `x-strength` or because of a schema that contains it.
   */
  open: boolean
  /**
   * Compares subschemas. `isMember` is set for properties, because their `readOnly` and `writeOnly` have already been
   * compared.
   */
  compare(before: Side, after: Side, isMember?: boolean): void
}

export interface Settled extends Side {
  schema: JsonNode
}

export function partOf({ document, schema, path }: Settled, ...keys: (string | number)[]): Side {
  return { document, schema: valueAt(schema, keys), path: [...path, ...keys] }
}

export function nameOf(schema: unknown): string {
  return asText(asNode(schema).$ref).split('/').at(-1) ?? ''
}

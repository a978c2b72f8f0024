import type { JsonNode, JsonPath } from '../rules/read/json.ts'
import type { Collector } from './change.ts'
import { isJudged } from './keywords.ts'
import type { SchemaContext, Settled } from './schema-context.ts'
import { isSame } from './whole.ts'

/**
 * Reports changes to keywords that no other comparison handles. Their effect is unknown, so the changes count as
 * breaking.
 */
export function compareUnjudged(before: Settled, after: Settled, context: SchemaContext): void {
  const { direction, operation, collector } = context
  reportUnjudged(
    before.schema,
    after.schema,
    isJudged,
    `${direction}-keyword`,
    after.path,
    collector,
    operation,
  )
}

/**
 * Reports changes to fields that no other comparison handles. Their effect is unknown, so the changes count as
 * breaking.
 */
export function reportUnjudged(
  old: JsonNode,
  now: JsonNode,
  isJudgedField: (name: string) => boolean,
  what: string,
  path: JsonPath,
  collector: Collector,
  operation?: string,
): void {
  for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (isJudgedField(name) || name.startsWith('x-') || isSame(old[name], now[name])) continue
    const text = `${name} changed, but the effect on clients can't be determined.`
    collector.add('breaking', `${what}-undecidable`, [...path, name], text, operation)
  }
}

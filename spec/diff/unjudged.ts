import type { JsonNode, JsonPath } from '../rules/read/json.ts'
import type { Collector } from './change.ts'
import { isJudged } from './keywords.ts'
import type { SchemaContext, Settled } from './schemas.ts'
import { isSame } from './whole.ts'

/** Keywords of which nobody has written down what a change means. To pass one by would be to promise it. */
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

/** Reports, as breaking, each member that differs and that no other comparison judges. */
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
    const text = `What it means that ${name} changed cannot be told.`
    collector.add('breaking', `${what}-undecidable`, [...path, name], text, operation)
  }
}

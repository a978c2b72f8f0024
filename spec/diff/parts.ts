import { asList } from '../rules/read/json.ts'
import { compareOpaque, say } from './constraints.ts'
import { inPlace } from './keywords.ts'
import { partOf, type SchemaContext, type Settled, type Side } from './schema-context.ts'
import { isSame } from './whole.ts'

/** Compares all subschemas except properties and union branches. A missing subschema accepts any value. */
export function compareParts(before: Settled, after: Settled, context: SchemaContext): void {
  for (const name of inPlace) context.compare(partOf(before, name), partOf(after, name))
  const places = [before, after].map(({ schema }) => asList(schema.prefixItems).length)
  for (let index = 0; index < Math.max(...places); index += 1)
    context.compare(elementOf(before, index), elementOf(after, index))
  compareContains(before, after, context)
}

/**
 * Returns the schema for an item of an array. `prefixItems` describes the first items, and `items` describes all other
 * items (JSON Schema 2020-12 §10.3.1).
 */
function elementOf(side: Settled, index: number): Side {
  return index < asList(side.schema.prefixItems).length
    ? partOf(side, 'prefixItems', index)
    : partOf(side, 'items')
}

/**
 * Compares the minimum and maximum number of items that match `contains`. If there is a maximum, additional matching
 * items can make an array invalid, so any change in `contains` is reported.
 */
function compareContains(before: Settled, after: Settled, context: SchemaContext): void {
  const [old, now] = [before, after].map(({ schema: { contains, minContains = 1, maxContains } }) =>
    contains === undefined ? undefined : { contains, least: Number(minContains), most: maxContains },
  )
  const path = [...after.path, 'contains']
  if (!old && !now) return
  if (!old || !now) {
    const text = now ? 'contains was added.' : 'contains was removed.'
    say(context, now ? 'narrowed' : 'widened', 'contains', path, text)
    return
  }
  if (old.least !== now.least) {
    const kind = now.least > old.least ? 'narrowed' : 'widened'
    say(context, kind, 'minContains', path, `minContains changed from ${old.least} to ${now.least}.`)
  }
  if (!isSame(old.most, now.most)) {
    const isTighter =
      now.most !== undefined && (old.most === undefined || Number(now.most) < Number(old.most))
    const text = `maxContains changed from ${old.most ?? '(none)'} to ${now.most ?? '(none)'}.`
    say(context, isTighter ? 'narrowed' : 'widened', 'maxContains', path, text)
  }
  if (old.most === undefined && now.most === undefined)
    context.compare(partOf(before, 'contains'), partOf(after, 'contains'))
  else compareOpaque('contains', before, after, context)
}

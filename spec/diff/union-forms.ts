import { fingerprintOf } from '../rules/read/fingerprint.ts'
import { asList, asNode, type JsonNode } from '../rules/read/json.ts'
import { say } from './constraints.ts'
import { isRemark } from './keywords.ts'
import type { SchemaContext, Settled } from './schema-context.ts'
import { areApart } from './unions.ts'
import { wholeOf } from './whole.ts'

/**
 * Compares a union with a schema that is one of its branches, or a `oneOf` with an `anyOf` that has the same branches.
 *
 * @returns Whether this comparison applies, in which case no other comparison is necessary.
 */
export function compareUnionForms(before: Settled, after: Settled, context: SchemaContext): boolean {
  const [old, now] = [unionOf(before), unionOf(after)]
  if (old && now) return compareKeywords(old, now, before, after, context)
  const union = old ?? now
  if (!union) return false
  const plain = meaningOf(old ? after : before)
  if (!union.branches.has(plain)) return false
  const text = `${old ? 'The schema is no longer a union. Only one of its branches remains' : 'The schema is now one branch of a union'}.`
  // A value that matches several branches of `oneOf` is invalid.
  if (union.isCertain) say(context, old ? 'narrowed' : 'widened', 'union', after.path, text)
  else reportUndecidable(text, after, context)
  return true
}

interface Union {
  readonly keyword: 'oneOf' | 'anyOf'
  readonly branches: ReadonlySet<string>
  readonly discriminator: string
  /** Whether every value that matches a branch also matches the union. */
  readonly isCertain: boolean
}

/** Returns the branches of a union. Returns `undefined` if the schema also has other keywords that restrict values. */
function unionOf(side: Settled): Union | undefined {
  const { schema, document } = side
  const keyword = (['oneOf', 'anyOf'] as const).find((name) => Array.isArray(schema[name]))
  const isOnly = (name: string): boolean => name === keyword || name === 'discriminator' || isRemark(name)
  if (!keyword || !Object.keys(schema).every(isOnly)) return undefined
  const branches = asList(schema[keyword]).map((branch) =>
    meaningOf({ document, schema: wholeOf(document, branch), path: side.path }),
  )
  return {
    keyword,
    branches: new Set(branches),
    discriminator: JSON.stringify(schema.discriminator ?? null),
    isCertain: keyword === 'anyOf' || areApart(side),
  }
}

function compareKeywords(
  old: Union,
  now: Union,
  before: Settled,
  after: Settled,
  context: SchemaContext,
): boolean {
  const isSame =
    old.branches.size === now.branches.size && [...old.branches].every((branch) => now.branches.has(branch))
  if (old.keyword === now.keyword || !isSame || old.discriminator !== now.discriminator) return false
  const areAllApart = [before, after].every((side) =>
    Array.isArray(side.schema.oneOf) ? areApart(side) : true,
  )
  if (!areAllApart) reportUndecidable(`${old.keyword} was replaced by ${now.keyword}.`, after, context)
  return true
}

function reportUndecidable(
  text: string,
  { path }: Settled,
  { direction, operation, collector }: SchemaContext,
): void {
  collector.add('review', `${direction}-union-undecidable`, path, text, operation)
}

function meaningOf({ document, schema }: Settled): string {
  const restricting = Object.entries(schema).filter(([name]) => !isRemark(name))
  const sorted: JsonNode = Object.fromEntries(restricting.sort(([a], [b]) => a.localeCompare(b)))
  return fingerprintOf(asNode(document), sorted)
}

import { fingerprintOf } from '../rules/read/fingerprint.ts'
import { asList, asNode, asText, isNode, type JsonNode } from '../rules/read/json.ts'
import { narrowed, widened } from './direction.ts'
import { nameOf, type SchemaContext, type Settled, type Side } from './schema-context.ts'
import { reportUnjudged } from './unjudged.ts'
import { wholeOf } from './whole.ts'

/** Compares the branches of `oneOf` and `anyOf`, and the discriminators. */
export function compareBranches(before: Settled, after: Settled, context: SchemaContext): void {
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    const [old, now] = [branchesOf(before, keyword), branchesOf(after, keyword)]
    if (old.size === 0 && now.size === 0) continue
    if (old.size === 0 || now.size === 0) becameUnion(old.size === 0, after, context)
    else compareEach(old, now, before, after, context)
    if (keyword === 'oneOf') compareOverlap(before, after, context)
  }
  compareDiscriminator(
    asNode(before.schema.discriminator),
    asNode(after.schema.discriminator),
    after,
    context,
  )
}

/**
 * Returns the branches, keyed by component name. Branches without a name are identified by their content, and equal
 * branches are numbered.
 */
function branchesOf({ document, schema, path }: Settled, keyword: 'oneOf' | 'anyOf'): Map<string, Side> {
  const branches = new Map<string, Side>()
  for (const [index, branch] of asList(schema[keyword]).entries()) {
    const name = nameOf(branch) || inlineName(branch)
    const like = [...branches.keys()].filter((each) => each === name || each.startsWith(`${name} #`)).length
    const side = { document, schema: branch, path: [...path, keyword, index] }
    branches.set(like > 0 ? `${name} #${like + 1}` : name, side)
  }
  return branches
}

function inlineName(branch: unknown): string {
  const { type, format } = asNode(branch)
  return [type, format].filter((part) => part !== undefined).join(' ') || JSON.stringify(branch)
}

/**
 * Reports changes that allow a value to match several branches of `oneOf`, which makes the value invalid. This can't
 * happen if the branches can be distinguished.
 */
function compareOverlap(
  before: Settled,
  after: Settled,
  { direction, operation, collector }: SchemaContext,
): void {
  const [was, is] = [before, after].map((side) => {
    const branches = asList(side.schema.oneOf)
    return { apart: areApart(side), meaning: fingerprintOf(asNode(side.document), branches), branches }
  })
  if (!was?.branches.length || !is?.branches.length || was.meaning === is.meaning || (was.apart && is.apart))
    return
  const text = 'The branches of oneOf changed, so some values may now match no branch or several branches.'
  collector.add('review', `${direction}-union-undecidable`, after.path, text, operation)
}

/** Returns whether no value can match more than one branch of `oneOf`. */
export function areApart({ document, schema }: Settled): boolean {
  if (isNode(schema.discriminator)) return true
  const types = asList(schema.oneOf).flatMap((branch) => [wholeOf(document, branch).type ?? 'any'].flat())
  const isMixed = types.includes('any') || (types.includes('integer') && types.includes('number'))
  return !isMixed && new Set(types).size === types.length
}

function becameUnion(isNew: boolean, after: Settled, context: SchemaContext): void {
  const { direction, operation, collector } = context
  const text = isNew ? 'The schema is now a union.' : 'The schema is no longer a union.'
  collector.add('breaking', `${direction}-union-changed`, after.path, text, operation)
}

function compareEach(
  old: Map<string, Side>,
  now: Map<string, Side>,
  before: Settled,
  after: Settled,
  context: SchemaContext,
): void {
  const { direction, operation, collector } = context
  for (const [name, branch] of old) {
    const same = now.get(name)
    if (same) context.compare(branch, same)
    else
      collector.add(
        narrowed(direction),
        `${direction}-branch-removed`,
        branch.path,
        `The branch ${name} was removed.`,
        operation,
      )
  }
  // If there is a branch for undocumented variants, clients must already expect new variants.
  const kind = isOpen(before.schema) ? 'additive' : widened(direction, context.open)
  for (const [name] of now)
    if (!old.has(name))
      collector.add(kind, `${direction}-branch-added`, after.path, `The branch ${name} was added.`, operation)
}

function isOpen({ discriminator, oneOf, anyOf }: JsonNode): boolean {
  // Entries that map a schema's name to that schema have no effect, because schemas are mapped by name by default.
  const entries = Object.entries(asNode(asNode(discriminator).mapping))
  const mapped = new Set(
    entries
      .map(([name, target]) => [name, asText(target)] as const)
      .filter(([name, target]) => !target.endsWith(`/${name}`))
      .map(([, target]) => target),
  )
  if (!isNode(discriminator) || mapped.size === 0) return false
  return [...asList(oneOf), ...asList(anyOf)].some((branch) => !mapped.has(asText(asNode(branch).$ref)))
}

function compareDiscriminator(old: JsonNode, now: JsonNode, after: Settled, context: SchemaContext): void {
  const { direction, operation, collector } = context
  const path = [...after.path, 'discriminator']
  if (old.propertyName !== undefined && old.propertyName !== now.propertyName)
    collector.add(
      'breaking',
      `${direction}-discriminator-changed`,
      path,
      'The discriminator property changed.',
      operation,
    )
  if (old.propertyName === undefined && now.propertyName !== undefined)
    collector.add(
      'additive',
      `${direction}-discriminator-added`,
      path,
      `The discriminator property ${now.propertyName} was added.`,
      operation,
    )
  const isJudged = (name: string) => name === 'propertyName' || name === 'mapping'
  reportUnjudged(old, now, isJudged, `${direction}-discriminator`, path, collector, operation)
  const [before, mapping] = [asNode(old.mapping), asNode(now.mapping)]
  for (const [name, target] of Object.entries(before)) {
    const isGone = !Object.hasOwn(mapping, name)
    if (!isGone && mapping[name] === target) continue
    const kind = isGone ? narrowed(direction) : 'breaking'
    const text = isGone ? `The variant ${name} was removed.` : `The schema of variant ${name} changed.`
    collector.add(kind, `${direction}-kind-changed`, path, text, operation)
  }
}

import { asList, asNode, asText, isNode, type JsonNode } from '../rules/read/json.ts'
import { narrowed, widened } from './direction.ts'
import { nameOf, type SchemaContext, type Settled, type Side } from './schemas.ts'

/** Compares `oneOf` and `anyOf` branch by branch, and what tells branches apart. */
export function compareBranches(before: Settled, after: Settled, context: SchemaContext): void {
  const [old, now] = [branchesOf(before), branchesOf(after)]
  if (old.size > 0 || now.size > 0) {
    if (old.size === 0 || now.size === 0) becameUnion(old.size === 0, after, context)
    else compareEach(old, now, before, after, context)
  }
  compareDiscriminator(
    asNode(before.schema.discriminator),
    asNode(after.schema.discriminator),
    after,
    context,
  )
}

/** Branches by component name or, inline, by what they hold. */
function branchesOf({ document, schema, path }: Settled): Map<string, Side> {
  const branches = new Map<string, Side>()
  for (const keyword of ['oneOf', 'anyOf'])
    for (const [index, branch] of asList(schema[keyword]).entries())
      branches.set(nameOf(branch) || inlineName(branch), {
        document,
        schema: branch,
        path: [...path, keyword, index],
      })
  return branches
}

function inlineName(branch: unknown): string {
  const { title, type, format } = asNode(branch)
  return [title, type, format].filter((part) => part !== undefined).join(' ') || JSON.stringify(branch)
}

function becameUnion(isNew: boolean, after: Settled, context: SchemaContext): void {
  const { direction, operation, collector } = context
  const text = isNew ? 'It became one of several schemas.' : 'It is no longer one of several schemas.'
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
        `The branch ${name} is gone.`,
        operation,
      )
  }
  // A union with a branch for kinds that it does not know has told clients to expect new ones.
  const kind = isOpen(before.schema) ? 'additive' : widened(direction, context.open)
  for (const [name] of now)
    if (!old.has(name))
      collector.add(kind, `${direction}-branch-added`, after.path, `The branch ${name} is new.`, operation)
}

function isOpen({ discriminator, oneOf, anyOf }: JsonNode): boolean {
  const mapped = new Set(Object.values(asNode(asNode(discriminator).mapping)).map((each) => asText(each)))
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
      'Another property tells the branches apart.',
      operation,
    )
  const [before, mapping] = [asNode(old.mapping), asNode(now.mapping)]
  for (const [name, target] of Object.entries(before)) {
    const isGone = !Object.hasOwn(mapping, name)
    if (!isGone && mapping[name] === target) continue
    const kind = isGone ? narrowed(direction) : 'breaking'
    const text = isGone ? `The kind ${name} is gone.` : `The kind ${name} has another schema.`
    collector.add(kind, `${direction}-kind-changed`, path, text, operation)
  }
}

import { asList, asNode, asTexts, isNode, type JsonNode, pathOf, valueAt } from '../rules/read/json.ts'
import { isRemark } from './keywords.ts'

const deepest = 20
const known = new WeakMap<object, JsonNode>()

/**
 * Merges a schema with its references and the parts of `allOf`. A value must match all of these schemas, so the
 * strictest limit applies (JSON Schema 2020-12 §8.2.3.1 and §10.2.1.1). Parts that can't be merged stay in `allOf`, and
 * broken references stay in `$ref`. Results are cached because the same schemas are compared repeatedly.
 */
export function wholeOf(document: unknown, schema: unknown): JsonNode {
  if (!isNode(schema)) return schema === false ? nothing() : {}
  const found = known.get(schema) ?? put(document, schema, 0)
  known.set(schema, found)
  return found
}

/** Returns a schema that rejects every value. */
const nothing = (): JsonNode => ({ not: {} })

export function isNothing({ not }: JsonNode): boolean {
  return not === true || (isNode(not) && Object.keys(not).length === 0)
}

function put(document: unknown, schema: unknown, depth: number): JsonNode {
  if (schema === false) return nothing()
  if (depth > deepest) return asNode(schema)
  const { $ref, allOf, ...own } = asNode(schema)
  const target =
    typeof $ref === 'string' && $ref.startsWith('#/') ? valueAt(document, pathOf($ref)) : undefined
  let whole: JsonNode = own
  if (target !== undefined) whole = joined(whole, put(document, target, depth + 1))
  else if ($ref !== undefined) whole = { ...own, $ref }
  for (const part of asList(allOf)) whole = joined(whole, put(document, part, depth + 1))
  return withoutTrivialUnion(document, whole, depth)
}

/**
 * Merges a union that has only one branch. If all branches of a union have only a type, replaces the union with a list
 * of types.
 */
function withoutTrivialUnion(document: unknown, whole: JsonNode, depth: number): JsonNode {
  const keyword = ['oneOf', 'anyOf'].find((name) => Array.isArray(whole[name])) ?? ''
  const { [keyword]: listed, ...others } = whole
  if (listed === undefined || 'discriminator' in whole || 'allOf' in whole) return whole
  const branches = asList(listed).map((branch) => put(document, branch, depth + 1))
  const [first] = branches
  if (first && branches.length === 1) return joined(others, first)
  const types = branches.flatMap(({ type, ...rest }) =>
    Object.keys(rest).every(isRemark) && type !== undefined ? [type].flat() : [undefined],
  )
  const isList = types.every((type) => typeof type === 'string') && new Set(types).size === types.length
  const overlap = types.includes('integer') && types.includes('number')
  return isList && !overlap && !('type' in others) ? { ...others, type: types } : whole
}

/** Groups of keywords that affect each other. Merging these keywords one by one would change their meaning. */
const groups = [
  ['prefixItems', 'items', 'unevaluatedItems'],
  ['contains', 'minContains', 'maxContains'],
  ['if', 'then', 'else'],
  ['oneOf', 'anyOf', 'discriminator'],
  ['contentMediaType', 'contentEncoding', 'contentSchema'],
]

/** Functions that merge the two values of a keyword into one. */
const joiners: Record<string, (a: unknown, b: unknown) => unknown> = {
  ...Object.fromEntries(
    ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'].map((name) => [name, least]),
  ),
  ...Object.fromEntries(
    ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'].map((name) => [name, greatest]),
  ),
  required: (a, b) => [...new Set([...asTexts(a), ...asTexts(b)])],
  type: (a, b) => commonTypes([a].flat(), [b].flat()),
  enum: (a, b) => asList(a).filter((value) => asList(b).some((each) => isSame(value, each))),
  properties: (a, b) => joinedMaps(asNode(a), asNode(b)),
  patternProperties: (a, b) => joinedMaps(asNode(a), asNode(b)),
  propertyNames: both,
  items: both,
  uniqueItems: (a, b) => a === true || b === true,
  readOnly: (a, b) => a === true || b === true,
  writeOnly: (a, b) => a === true || b === true,
}

/**
 * Keywords that don't restrict values. If several parts have the keyword, the part closest to the schema takes
 * precedence.
 */
const nearer = new Set(['default', 'deprecated'])

function joined(whole: JsonNode, part: JsonNode): JsonNode {
  if (isNothing(whole) || isNothing(part)) return nothing()
  const result: JsonNode = { ...part, ...whole }
  const closed = closedApart(whole, part)
  const clashing = groups.filter((group) => clash(group, whole, part))
  const apart = [...asList(whole.allOf), ...asList(part.allOf), ...closed, ...clashing.map(of(part))]
  for (const name of [...clashing.flat(), ...(closed.length > 0 ? closing : [])])
    if (closing.includes(name) || !(name in whole)) delete result[name]
  for (const [name, value] of Object.entries(part)) {
    const isDone =
      name === 'allOf' || name.startsWith('x-') || nearer.has(name) || clashing.flat().includes(name)
    if (isDone || !(name in whole) || !(name in result) || isSame(value, whole[name])) continue
    const joiner = joiners[name]
    if (joiner) result[name] = joiner(whole[name], value)
    else apart.push({ [name]: value })
  }
  return apart.length > 0 ? { ...result, allOf: apart } : result
}

/**
 * Returns whether both schemas have keywords from the same group that can't be merged. `items` can be merged if neither
 * schema has another keyword from the same group.
 */
function clash(group: string[], whole: JsonNode, part: JsonNode): boolean {
  const [ours, theirs] = [whole, part].map((schema) => group.filter((name) => name in schema))
  if (!ours?.length || !theirs?.length) return false
  return !isSame(ours, theirs) || ours.some((name) => name !== 'items' && !isSame(whole[name], part[name]))
}

function of(part: JsonNode): (group: string[]) => JsonNode {
  return (group) => Object.fromEntries(group.flatMap((name) => (name in part ? [[name, part[name]]] : [])))
}

const closing = ['additionalProperties', 'unevaluatedProperties']

/**
 * Returns the schemas that must not be merged. `additionalProperties` applies only to the properties in the same schema
 * (§10.3.2.3). If `additionalProperties` forbids other properties, merging would change which properties are allowed.
 */
function closedApart(whole: JsonNode, part: JsonNode): JsonNode[] {
  const names = ['properties', 'patternProperties', ...closing]
  if (![whole, part].every((schema) => names.some((name) => name in schema))) return []
  const isClosed = (schema: JsonNode, name: string) => name in schema && schema[name] !== true
  // `unevaluatedProperties` is different from `additionalProperties`: it also takes the properties in `allOf` into
  // account (§11.3).
  if (!isClosed(whole, 'additionalProperties') && !closing.some((name) => isClosed(part, name))) return []
  return [whole, part]
    .filter((side) => closing.some((name) => isClosed(side, name)))
    .map((side) => ({
      ...of(side)(closing),
      fields: Object.keys(asNode(side.properties)).sort(),
      patterns: Object.keys(asNode(side.patternProperties)).sort(),
    }))
}

function joinedMaps(a: JsonNode, b: JsonNode): JsonNode {
  const shared = Object.keys(a).filter((name) => Object.hasOwn(b, name))
  return { ...b, ...a, ...Object.fromEntries(shared.map((name) => [name, both(a[name], b[name])])) }
}

/** Returns a schema that accepts the values that match both schemas. */
function both(a: unknown, b: unknown): unknown {
  if (isSame(a, b) || b === true) return a
  return a === true ? b : { allOf: [a, b] }
}

function least(a: unknown, b: unknown): unknown {
  return Math.min(...[a, b].filter((bound) => typeof bound === 'number'))
}

function greatest(a: unknown, b: unknown): unknown {
  return Math.max(...[a, b].filter((bound) => typeof bound === 'number'))
}

function commonTypes(a: unknown[], b: unknown[]): unknown {
  const within = (list: unknown[]) => (type: unknown) =>
    list.includes(type) || (type === 'integer' && list.includes('number'))
  const common = [...new Set([...a.filter(within(b)), ...b.filter(within(a))])]
  return common.length === 1 ? common[0] : common
}

export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

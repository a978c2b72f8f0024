/** Upper bounds: none is the widest. */
export const upper = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']
/** Lower bounds, with what an absent one means where it has a meaning. */
export const lower: Record<string, number | undefined> = {
  minimum: undefined,
  exclusiveMinimum: undefined,
  minLength: 0,
  minItems: 0,
  minProperties: 0,
}
/** Keywords of which only presence and equality can be told. The first two stand where something could not be put together. */
export const opaque = [
  '$ref',
  'allOf',
  'pattern',
  'multipleOf',
  'uniqueItems',
  'not',
  'if',
  'then',
  'else',
  'dependentRequired',
  'dependentSchemas',
  'contentMediaType',
  'contentEncoding',
]
/** Schemas within a schema, each compared with the one that stands there in the other. */
export const inPlace = ['propertyNames', 'contentSchema', 'unevaluatedItems', 'items']
/** Keywords that say which other members an object may have. */
export const openness = ['additionalProperties', 'unevaluatedProperties']

const judged = new Set([
  ...upper,
  ...Object.keys(lower),
  ...opaque,
  ...inPlace,
  ...openness,
  ...['type', 'enum', 'const', 'format', 'default', 'prefixItems', 'contains', 'minContains', 'maxContains'],
  ...['properties', 'required', 'patternProperties', 'readOnly', 'writeOnly', 'deprecated'],
  ...['oneOf', 'anyOf', 'discriminator'],
])

/** Keywords that let nothing through and keep nothing out. Definitions count where they are referred to. */
const remarks = new Set([
  '$comment',
  '$defs',
  '$schema',
  'title',
  'description',
  'example',
  'examples',
  'externalDocs',
])

export function isRemark(keyword: string): boolean {
  return remarks.has(keyword) || keyword.startsWith('x-')
}

/** Whether a comparison says what a change of the keyword means. */
export function isJudged(keyword: string): boolean {
  return judged.has(keyword) || isRemark(keyword)
}

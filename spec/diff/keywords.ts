/** Keywords for upper limits. If the keyword is missing, there is no limit. */
export const upper = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']
/** Keywords for lower limits, with their defaults. */
export const lower: Record<string, number | undefined> = {
  minimum: undefined,
  exclusiveMinimum: undefined,
  minLength: 0,
  minItems: 0,
  minProperties: 0,
}
/** Keywords that are compared only for equality. The first two remain in schemas that can't be merged. */
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
/** Keywords that contain a subschema. Subschemas with the same keyword are compared with each other. */
export const inPlace = ['propertyNames', 'contentSchema', 'unevaluatedItems', 'items']
/** Keywords that define whether additional properties are allowed. */
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

/** Keywords that don't restrict values. Definitions are compared wherever a schema refers to them. */
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

/** Returns whether a comparison handles the keyword. */
export function isJudged(keyword: string): boolean {
  return judged.has(keyword) || isRemark(keyword)
}

/** Keywords that set an upper limit. Without the keyword, there is no limit. */
export const upper = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']
/** Keywords that set a lower limit, with the limits that apply if the keyword is missing. */
export const lower: Record<string, number | undefined> = {
  minimum: undefined,
  exclusiveMinimum: undefined,
  minLength: 0,
  minItems: 0,
  minProperties: 0,
}
/**
 * If one of these keywords changes, the change is reported without comparing the values in detail. `$ref` and `allOf`
 * are in this list because they remain in schemas that can't be merged.
 */
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
/** Keywords whose value is a single schema. The old and the new schema are compared with each other. */
export const inPlace = ['propertyNames', 'contentSchema', 'unevaluatedItems', 'items']
/** Keywords that determine whether additional properties are allowed. */
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

/**
 * Keywords that don't restrict which values a schema accepts. `$defs` is one of them because definitions are compared
 * wherever a schema refers to them.
 */
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

/** Returns whether any comparison handles the keyword. */
export function isJudged(keyword: string): boolean {
  return judged.has(keyword) || isRemark(keyword)
}

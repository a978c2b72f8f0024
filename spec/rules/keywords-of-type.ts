import { asText } from './read/json.ts'
import { type Rule, wholeDocument } from './read/rule.ts'
import { schemasIn } from './read/schemas.ts'

/**
 * For each type, the keywords that have no effect on values of other types (JSON Schema 2020-12, Validation §6, Core
 * §10.3 and §11).
 */
const keywords: Readonly<Record<string, readonly string[]>> = {
  string: ['maxLength', 'minLength', 'pattern', 'contentEncoding', 'contentMediaType', 'contentSchema'],
  number: ['multipleOf', 'maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum'],
  array: [
    'items',
    'prefixItems',
    'contains',
    'maxItems',
    'minItems',
    'uniqueItems',
    'maxContains',
    'minContains',
    'unevaluatedItems',
  ],
  object: [
    'properties',
    'patternProperties',
    'additionalProperties',
    'propertyNames',
    'required',
    'maxProperties',
    'minProperties',
    'dependentRequired',
    'dependentSchemas',
    'unevaluatedProperties',
  ],
}

export const rule: Rule = {
  id: 'keywords-of-type',
  message: 'a schema must only have keywords that apply to its types, and must not list a type twice.',
  why: 'A keyword for a different type has no effect, so either the keyword or the type is wrong.',
  scope: 'any',
  readsSingleNodes: true,
  given: wholeDocument,
  function(document) {
    return schemasIn(document).flatMap(({ value, path }) => {
      if (value.type === undefined) return []
      const listed = [value.type].flat().map(asText)
      const types = listed.map((type) => (type === 'integer' ? 'number' : type))
      const without = Object.keys(keywords).filter((type) => !types.includes(type))
      const names = without.flatMap((type) => keywords[type] ?? []).filter((name) => name in value)
      const repeated = new Set(listed.filter((type, index) => listed.indexOf(type) !== index))
      return [
        ...names.map((name) => ({
          message: `${name} has no effect on the type ${listed.join(' or ')}`,
          path: [...path, name],
        })),
        ...[...repeated].map((type) => ({ message: `type contains ${type} twice`, path: [...path, 'type'] })),
      ]
    })
  },
}

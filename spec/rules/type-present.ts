import { asNode, type JsonPath } from './read/json.ts'
import { type Rule, wholeDocument } from './read/rule.ts'
import { type SchemaView, schemasIn } from './read/schemas.ts'

/** Keywords that determine the possible values. A schema with one of these keywords doesn't need a type. */
const telling = ['type', '$ref', 'const', 'enum', 'oneOf', 'anyOf', 'allOf', 'not', 'if', '$dynamicRef']

/** Schemas below these keywords extend another schema, which has the type. */
const adding = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'contains',
])

export const rule: Rule = {
  id: 'type-present',
  message: 'a property, parameter, header or array item must have a type, or a keyword that implies one.',
  why: 'Without a type, validators accept any value, and code generators create an untyped field.',
  scope: 'any',
  readsSingleNodes: true,
  given: wholeDocument,
  function(document) {
    return schemasIn(document)
      .filter((schema) => isChecked(schema) && !telling.some((keyword) => keyword in schema.value))
      .filter(({ path }) => !path.some((key, index) => adding.has(String(key)) && isKeyword(path, index)))
      .map(({ name, path }) => ({ message: `${name} has no type`, path }))
  },
}

/** Returns whether the rule applies to a schema. A schema without any keywords intentionally accepts every value. */
function isChecked({ value, place, name }: SchemaView): boolean {
  const isTarget = ['property', 'parameter', 'header'].includes(place) || name === 'items'
  return isTarget && Object.keys(asNode(value)).length > 0
}

const maps = new Set(['properties', 'patternProperties', 'schemas', '$defs'])

/** Returns whether a key in a path is a keyword and not the name of a property or component. */
function isKeyword(path: JsonPath, index: number): boolean {
  return !maps.has(String(path[index - 1]))
}

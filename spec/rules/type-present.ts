import { asNode, type JsonPath } from './read/json.ts'
import { type Rule, wholeDocument } from './read/rule.ts'
import { type SchemaView, schemasIn } from './read/schemas.ts'

/** Keywords that restrict which values a schema accepts. A schema with one of these keywords doesn't need a `type`. */
const telling = ['type', '$ref', 'const', 'enum', 'oneOf', 'anyOf', 'allOf', 'not', 'if', '$dynamicRef']

/** Keywords whose schemas only extend another schema, which already has a type. */
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

/**
 * Returns whether a schema needs a type. A schema without any keywords is exempt because it accepts every value on
 * purpose.
 */
function isChecked({ value, place, name }: SchemaView): boolean {
  const isTarget = ['property', 'parameter', 'header'].includes(place) || name === 'items'
  return isTarget && Object.keys(asNode(value)).length > 0
}

const maps = new Set(['properties', 'patternProperties', 'schemas', '$defs'])

/** Returns whether a key in a path is a keyword rather than the name of a property or a component. */
function isKeyword(path: JsonPath, index: number): boolean {
  return !maps.has(String(path[index - 1]))
}

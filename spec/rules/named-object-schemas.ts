import { type Rule, wholeDocument } from './read/rule.ts'
import { type SchemaView, schemasIn } from './read/schemas.ts'

export const rule: Rule = {
  id: 'named-object-schemas',
  message: 'objects and unions must be named components instead of inline schemas.',
  why: 'Code generators name the types of inline schemas after their location, so the type names change when you move a schema.',
  scope: 'style',
  readsSingleNodes: true,
  given: wholeDocument,
  function(document) {
    return schemasIn(document)
      .filter((schema) => schema.place !== 'component' && isStructure(schema) && !isOpenMap(schema))
      .map(({ path, name }) => ({ message: `${name} is an inline schema`, path }))
  },
}

function isStructure({ value }: SchemaView): boolean {
  return (
    [value.type].flat().includes('object') || ['properties', 'oneOf', 'anyOf'].some((key) => key in value)
  )
}

/**
 * Returns whether a schema doesn't need a name. Parts of if/then/else, `not` and `dependentSchemas` only refine a
 * schema that has a name.
 */
function isOpenMap({ path }: SchemaView): boolean {
  return ['if', 'then', 'else', 'not', 'dependentSchemas'].some((key) => path.slice(-2).includes(key))
}

import { asNode, fieldsOf } from './read/json.ts'
import { referredName } from './read/reference.ts'
import { type Rule, wholeDocument } from './read/rule.ts'

/** Kinds of components that code generators create types for, in addition to schemas. */
const kinds = ['parameters', 'headers', 'requestBodies', 'responses']

export const rule: Rule = {
  id: 'component-names-distinct',
  message:
    'a component must not have the same name as a schema, unless it refers to that schema. Names that differ only in the case of the first letter count as the same.',
  why: 'Some code generators, such as oapi-codegen, create a type for each component, and fail if two different types have the same name.',
  scope: 'any',
  given: wholeDocument,
  function(document) {
    const components = asNode(asNode(document).components)
    const schemas = new Map(Object.keys(asNode(components.schemas)).map((name) => [typeName(name), name]))
    return kinds
      .flatMap((kind) => fieldsOf(components[kind], ['components', kind]))
      .flatMap(({ key, value, path }) => {
        const same = schemas.get(typeName(key))
        return same === undefined || referredName(value.schema) === same
          ? []
          : [{ message: `${key} has the same name as the schema ${same}`, path }]
      })
  },
}

const typeName = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1)

import { asNode, asTexts, fieldsOf, type JsonPath, valueAt } from './read/json.ts'
import { effective } from './read/reference.ts'
import { type Rule, wholeDocument } from './read/rule.ts'
import { schemasIn } from './read/schemas.ts'

/** Keywords with schemas that apply to the same object as the schema that contains them. */
const same = new Set(['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'not', 'dependentSchemas'])

export const rule: Rule = {
  id: 'required-exists',
  message:
    'required must only list properties that the schema defines. The definition can also be in a branch of the schema (such as allOf), or in a schema that contains it as a branch or condition (such as if).',
  why: "If a name is misspelled, the intended property is optional, and validators reject every object that doesn't contain the misspelled name.",
  scope: 'any',
  given: wholeDocument,
  function(document) {
    return schemasIn(document).flatMap(({ value, path }) => {
      const names = asTexts(value.required)
      if (names.length === 0) return []
      const known = new Set(objectsAround(document, path).flatMap((each) => propertiesOf(document, each, 5)))
      return names
        .filter((name) => !known.has(name))
        .map((name) => ({ message: `required lists ${name}, which is not a property`, path }))
    })
  },
}

/** Returns the schema at a path, and all enclosing schemas that apply to the same object. */
function objectsAround(document: unknown, path: JsonPath): unknown[] {
  const found = [valueAt(document, path)]
  for (let length = path.length; length > 0; ) {
    const isListed = /^\d+$/.test(String(path[length - 1])) || path[length - 2] === 'dependentSchemas'
    const keyword = String(path[isListed ? length - 2 : length - 1])
    if (!same.has(keyword)) break
    length -= isListed ? 2 : 1
    found.push(valueAt(document, path.slice(0, length)))
  }
  return found
}

function propertiesOf(document: unknown, schema: unknown, depth: number): string[] {
  const whole = effective(document, schema)
  const branches = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => fieldsOf(whole[key], []))
  return [
    ...Object.keys(asNode(whole.properties)),
    ...(depth > 0 ? branches.flatMap(({ value }) => propertiesOf(document, value, depth - 1)) : []),
  ]
}

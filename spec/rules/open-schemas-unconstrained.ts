import { asNode, asTexts, type JsonNode } from './read/json.ts'
import { discriminatedIn, openSchemasIn } from './read/open-schemas.ts'
import { type Rule, wholeDocument } from './read/rule.ts'
import { admits } from './read/schemas.ts'

/**
 * Keywords that can reject values of the correct type. Upper limits are allowed because servers need them for
 * protection.
 */
const restricting = [
  'const',
  'dependentRequired',
  'enum',
  'exclusiveMinimum',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'multipleOf',
  'not',
  'pattern',
  'propertyNames',
  'required',
  'uniqueItems',
]
const closing = ['additionalProperties', 'unevaluatedProperties']

export const rule: Rule = {
  id: 'open-schemas-unconstrained',
  message:
    "a schema with x-strength: open must accept any value of its type, so it must not have required properties, enums, patterns or lower limits. The rule doesn't apply to properties with x-strength: stated or decided, to keywords in x-decided, or to discriminators.",
  why: "The specification source doesn't describe these values, so other implementations may send different ones.",
  scope: 'ours',
  given: wholeDocument,
  function(document) {
    const discriminated = discriminatedIn(document)
    const discriminators = new Set(
      [...discriminated]
        .map(([branch, property]) => asNode(asNode(branch.properties)[property]))
        .flatMap((field) => [field, asNode(field.not)]),
    )
    return openSchemasIn(document)
      .filter(({ value }) => !discriminators.has(value))
      .flatMap(({ value, path, name }) =>
        restrictions(value, discriminated.get(value)).map((keyword) => ({
          message: `${name} is open, but has ${keyword}`,
          path,
        })),
      )
  },
}

function restrictions(schema: JsonNode, discriminator: string | undefined): string[] {
  const required = asTexts(schema.required).filter((name) => name !== discriminator)
  const decided = asNode(schema['x-decided'])
  return [
    ...restricting.filter((keyword) => keyword in schema && (keyword !== 'required' || required.length > 0)),
    ...closing.filter((keyword) => schema[keyword] === false),
    ...('format' in schema && admits(schema, 'string') ? ['format'] : []),
  ].filter((keyword) => !(keyword in decided))
}

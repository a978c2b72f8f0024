import { asNode, asTexts, type JsonNode } from './read/json.ts'
import { discriminatedIn, openSchemasIn } from './read/open-schemas.ts'
import { type Rule, wholeDocument } from './read/rule.ts'
import { admits } from './read/schemas.ts'

/** Keywords that refuse a value of the right type. Upper bounds may stand: they keep a service from harm. */
const refusing = [
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
  id: 'open-shapes-refuse-nothing',
  message:
    'what is x-strength open takes any value of its type: nothing under it is required, an enumeration, a pattern or a lower bound, unless a member says by its own x-strength that it is stated or decided, x-decided names the keyword, or it tells the branches of a choice apart.',
  given: wholeDocument,
  function(document) {
    const discriminated = discriminatedIn(document)
    const telling = new Set(
      [...discriminated]
        .map(([branch, property]) => asNode(asNode(branch.properties)[property]))
        .flatMap((field) => [field, asNode(field.not)]),
    )
    return openSchemasIn(document)
      .filter(({ value }) => !telling.has(value))
      .flatMap(({ value, path, name }) =>
        refusals(value, discriminated.get(value)).map((keyword) => ({
          message: `${name} is open and has ${keyword}`,
          path,
        })),
      )
  },
}

function refusals(schema: JsonNode, discriminator: string | undefined): string[] {
  const needed = asTexts(schema.required).filter((name) => name !== discriminator)
  const decided = asNode(schema['x-decided'])
  return [
    ...refusing.filter((keyword) => keyword in schema && (keyword !== 'required' || needed.length > 0)),
    ...closing.filter((keyword) => schema[keyword] === false),
    ...('format' in schema && admits(schema, 'string') ? ['format'] : []),
  ].filter((keyword) => !(keyword in decided))
}

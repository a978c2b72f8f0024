import { asNode, asText, fieldsOf, type Located } from './read/json.ts'
import { operationsIn, parametersOf } from './read/operations.ts'
import { type Finding, type Rule, wholeDocument } from './read/rule.ts'

/** The styles that OpenAPI allows for each parameter location (OpenAPI 3.1.1 §4.8.12). */
const styles: Readonly<Record<string, readonly string[]>> = {
  path: ['matrix', 'label', 'simple'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
}

export const rule: Rule = {
  id: 'parameter-style',
  message:
    "a parameter's style must be one that OpenAPI defines for its location, and allowEmptyValue must not be used.",
  why: "If OpenAPI doesn't define a style for a location, clients ignore the style and send the value in a different format. OpenAPI advises against allowEmptyValue, because its effect depends on the server.",
  scope: 'any',
  given: wholeDocument,
  function(document) {
    const shared = fieldsOf(asNode(asNode(document).components).parameters, ['components', 'parameters'])
    const used = operationsIn(document).flatMap((operation) => parametersOf(document, operation))
    const all = new Map([...shared, ...used].map((each) => [each.path.join('\0'), each]))
    return [...all.values()].flatMap(faultsOf)
  },
}

function faultsOf({ value, path }: Located): Finding[] {
  const { style, in: place, allowEmptyValue } = value
  const known = styles[asText(place)]
  const isKnown = style === undefined || known === undefined || known.includes(asText(style))
  return [
    ...(isKnown
      ? []
      : [
          {
            message: `OpenAPI does not define the style ${asText(style)} for ${asText(place)}`,
            path: [...path, 'style'],
          },
        ]),
    ...(allowEmptyValue === true
      ? [{ message: 'allowEmptyValue is used', path: [...path, 'allowEmptyValue'] }]
      : []),
  ]
}

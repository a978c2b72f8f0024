import { asNode, asText, fieldsOf, type Located } from './read/json.ts'
import { headersIn, operationsIn, requestOf, responsesOf } from './read/operations.ts'
import { effective } from './read/reference.ts'
import { type Rule, wholeDocument } from './read/rule.ts'
import { schemasIn } from './read/schemas.ts'

export const rule: Rule = {
  id: 'description-present',
  message:
    'the document, tags, operations, parameters, headers, requests, responses, schemas, properties and security schemes must have a description.',
  why: 'Documentation pages and generated clients show the description. Without one, readers see only a name.',
  scope: 'style',
  given: wholeDocument,
  function(document) {
    return describable(document)
      .filter(({ value }) => asText(effective(document, value).description).trim() === '')
      .map(({ path }) => ({ message: `${path.at(-1) ?? 'the document'} has no description`, path }))
  },
}

function describable(document: unknown): Located[] {
  const root = asNode(document)
  const components = asNode(root.components)
  const operations = operationsIn(document)
  return [
    { value: asNode(root.info), path: ['info'] },
    ...fieldsOf(root.tags, ['tags']),
    ...['parameters', 'securitySchemes'].flatMap((kind) => fieldsOf(components[kind], ['components', kind])),
    ...headersIn(document),
    ...operations,
    ...operations.flatMap((operation) => responsesOf(document, operation)),
    ...operations.flatMap((operation) => requestOf(document, operation) ?? []),
    ...schemasIn(document).filter(({ place }) => place === 'component' || place === 'property'),
  ]
}

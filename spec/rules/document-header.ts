import { asNode, asText } from './read/json.ts'
import { type Rule, wholeDocument } from './read/rule.ts'

export const rule: Rule = {
  id: 'document-header',
  message:
    'the openapi field must be a complete version number, such as 3.1.0. A license must have either an identifier or a url.',
  why: "Linters choose their rules by the version number. If they don't recognize the number, they skip the rules and miss all other problems.",
  scope: 'any',
  given: wholeDocument,
  function(document) {
    const { openapi, info } = asNode(document)
    const license = asNode(asNode(info).license)
    const isComplete = /^3\.\d+\.\d+(-.+)?$/.test(asText(openapi))
    return [
      ...(openapi === undefined || isComplete
        ? []
        : [{ message: `openapi is ${JSON.stringify(openapi)}`, path: ['openapi'] }]),
      ...('identifier' in license && 'url' in license
        ? [{ message: 'the license has an identifier and a url', path: ['info', 'license'] }]
        : []),
    ]
  },
}

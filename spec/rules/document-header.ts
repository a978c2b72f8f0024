import { asNode, asText } from './read/json.ts'
import { type Rule, wholeDocument } from './read/rule.ts'

export const rule: Rule = {
  id: 'document-header',
  message:
    'openapi must be a complete version number, such as 3.1.0, and a license must have either identifier or url.',
  why: "If linters don't recognize the version, they skip its rules, so a wrong number hides all other problems.",
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

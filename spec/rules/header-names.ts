import { asNode, asText, fieldsOf, type Located } from './read/json.ts'
import { operationsIn, parametersOf, responsesOf } from './read/operations.ts'
import { type Finding, type Rule, wholeDocument } from './read/rule.ts'

export const rule: Rule = {
  id: 'header-names',
  message:
    'a response must not have two headers with names that differ only in case. Headers that OpenAPI describes elsewhere, such as Content-Type, must not be listed.',
  why: 'Header names are case-insensitive (RFC 9110 §5.1). OpenAPI ignores parameters named Accept, Content-Type or Authorization, and response headers named Content-Type.',
  scope: 'any',
  given: wholeDocument,
  function(document) {
    const findings = operationsIn(document).flatMap((operation) => [
      ...parametersOf(document, operation).flatMap(ignoredParameter),
      ...responsesOf(document, operation).flatMap(headerFaults),
    ])
    return [...new Map(findings.map((each) => [each.path?.join('\0'), each])).values()]
  },
}

function ignoredParameter({ value, path }: Located): Finding[] {
  const isIgnored = ['accept', 'content-type', 'authorization'].includes(asText(value.name).toLowerCase())
  if (value.in !== 'header' || !isIgnored) return []
  return [{ message: `OpenAPI ignores the parameter ${asText(value.name)}`, path }]
}

function headerFaults({ value, path }: Located): Finding[] {
  const at = [...path, 'headers']
  const headers = fieldsOf(asNode(value.headers), at)
  return headers.flatMap(({ key, path: place }, index) => {
    const name = key.toLowerCase()
    if (name === 'content-type') return [{ message: `OpenAPI ignores the header ${key}`, path: place }]
    const same = headers.slice(0, index).find((other) => other.key.toLowerCase() === name)
    return same ? [{ message: `${key} and ${same.key} are the same header`, path: place }] : []
  })
}

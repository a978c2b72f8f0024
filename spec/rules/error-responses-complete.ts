import type { Facts } from '../src/model.ts'
import { asNode, asTexts, type JsonNode } from './read/json.ts'
import {
  contentOf,
  isApiOperation,
  type OperationView,
  operationAt,
  parametersOf,
  type ResponseView,
  responsesOf,
} from './read/operations.ts'
import { everyOperation, type Finding, type Rule } from './read/rule.ts'

export const rule: Rule = {
  id: 'error-responses-complete',
  message:
    "an operation must declare every error code that applies to it according to facts/error-codes.yaml. It must list the code in x-errors, and have a response with the code's status and an example of the code.",
  why: 'Clients can only handle errors that the document declares.',
  scope: 'ours',
  given: everyOperation,
  function(_, { path, document, facts, version }) {
    const operation = operationAt(document, path)
    if (!operation || !isApiOperation(operation)) return []
    const declared = asTexts(operation.value['x-errors'])
    const responses = responsesOf(document, operation)
    return [
      ...setFaults(declared, expectedCodes(document, operation, facts, version?.generation ?? ''), path),
      ...declared.flatMap((code): Finding[] => codeFaults(code, responses, facts, path)),
      ...responses.flatMap((response) => responseFaults(response, declared)),
    ]
  },
}

/**
 * Returns the error codes that an operation must declare. This code is separate from the bundler's so that the rule
 * also finds bugs in the bundler.
 */
function expectedCodes(
  document: unknown,
  operation: OperationView,
  facts: Facts,
  generation: string,
): Set<string> {
  const hasPathParameter = parametersOf(document, operation).some(({ value }) => value.in === 'path')
  const hasBody = operation.value.requestBody !== undefined
  const rules: [string, boolean][] = [
    ['every', true],
    ['role', !asTexts(operation.value['x-roles']).includes('ANY')],
    ['pathParameters', hasPathParameter],
    ['body', hasBody],
    ['v2', generation === 'v2'],
    ['v2Body', generation === 'v2' && hasBody],
    ['sunset', asNode(operation.value['x-deprecation']).sunset !== undefined],
  ]
  const applying = new Set(rules.filter(([, applies]) => applies).map(([name]) => name))
  const codes = Object.entries(facts.errorCodes).filter(([, { appliesTo }]) => applying.has(appliesTo))
  return new Set(codes.map(([code]) => code))
}

function setFaults(declared: string[], expected: Set<string>, path: Finding['path']): Finding[] {
  return [...expected]
    .filter((code) => !declared.includes(code))
    .map((code) => ({ message: `x-errors does not contain ${code}`, ...(path ? { path } : {}) }))
}

function codeFaults(
  code: string,
  responses: ResponseView[],
  facts: Facts,
  path: (string | number)[],
): Finding[] {
  const fact = Object.hasOwn(facts.errorCodes, code) ? facts.errorCodes[code] : undefined
  if (!fact) return [{ message: `unknown error code ${code}`, path: [...path, 'x-errors'] }]
  if (fact.appliesTo === 'route' || fact.appliesTo === 'none')
    return [{ message: `${code} does not apply to operations`, path: [...path, 'x-errors'] }]
  const response = responses.find(({ status }) => status === String(fact.status))
  if (!response)
    return [{ message: `the response ${fact.status} for ${code} is missing`, path: [...path, 'responses'] }]
  const shown = contentOf(response).some(({ value }) =>
    examplesOf(value).some(({ errorCode }) => errorCode === code),
  )
  return shown
    ? []
    : [{ message: `the response ${fact.status} has no example of ${code}`, path: response.path }]
}

function responseFaults({ status, value, path, at }: ResponseView, declared: string[]): Finding[] {
  if (status.startsWith('2')) return []
  const codes = asTexts(value['x-error-codes'])
  if (codes.length === 0) return [{ message: `the response ${status} has no error codes`, path }]
  return codes
    .filter((code) => !declared.includes(code))
    .map((code) => ({ message: `the response ${status} lists ${code}, which is not in x-errors`, path: at }))
}

function examplesOf(media: JsonNode): JsonNode[] {
  return Object.values(asNode(media.examples)).map((example) => asNode(asNode(example).value))
}

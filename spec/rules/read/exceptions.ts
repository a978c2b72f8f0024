import { asNode, asText, type JsonPath, valueAt } from './json.ts'

/** The rules about exceptions, which can't have exceptions themselves. */
const withoutExceptions = new Set(['exception-reasons', 'exception-stale', 'extension-form'])

/**
 * Returns the path of the node that exempts a finding with a reason. The exemption `x-lint-exceptions: {
 * rule: reason }` applies to the node and its descendants.
 */
export function exceptionOf(rule: string, path: JsonPath, document: unknown): JsonPath | undefined {
  if (withoutExceptions.has(rule)) return undefined
  for (let length = path.length; length >= 0; length -= 1) {
    const carrier = path.slice(0, length)
    const reason = asNode(asNode(valueAt(document, carrier))['x-lint-exceptions'])[rule]
    if (asText(reason).trim() !== '') return carrier
  }
  return undefined
}

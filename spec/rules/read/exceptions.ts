import { asNode, asText, type JsonPath, valueAt } from './json.ts'

/** Rules that don't allow exceptions, because they check the exceptions themselves. */
const withoutExceptions = new Set(['exception-reasons', 'exception-stale', 'extension-form'])

/**
 * Returns the path of the node that contains an exemption for a finding. An exemption has the form `x-lint-exceptions:
 * { rule: reason }`, and applies to its node and to everything inside that node.
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

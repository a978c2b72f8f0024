import { asNode, asText, type JsonPath, pointerOf, valueAt } from '../rules/read/json.ts'
import { nodesIn } from '../rules/read/nodes.ts'
import type { Documents, LintFinding } from './finding.ts'

/** Rules about exceptions, which have no exceptions themselves. */
const withoutExceptions = new Set(['exception-reasons', 'exception-stale', 'extension-form'])

/**
 * Removes the findings that a document excepts with a reason (`x-lint-exceptions: { rule: reason }`, for the
 * node and its descendants), and adds a finding for each unused exception.
 */
export function withoutExcepted(findings: LintFinding[], documents: Documents): LintFinding[] {
  const used = new Set<string>()
  const kept = findings.filter((finding) => {
    const carrier = carrierOf(finding, documents.get(finding.document))
    if (carrier) used.add(keyOf(finding.document, carrier, finding.rule))
    return !carrier
  })
  return [...kept, ...staleExceptions(documents, used)]
}

function carrierOf({ rule, path }: LintFinding, document: unknown): JsonPath | undefined {
  if (withoutExceptions.has(rule)) return undefined
  for (let length = path.length; length >= 0; length -= 1) {
    const carrier = path.slice(0, length)
    const reason = asNode(asNode(valueAt(document, carrier))['x-lint-exceptions'])[rule]
    if (asText(reason).trim() !== '') return carrier
  }
  return undefined
}

function staleExceptions(documents: Documents, used: Set<string>): LintFinding[] {
  return [...documents].flatMap(([document, data]) =>
    nodesIn(data).flatMap(({ value, path }) =>
      Object.keys(asNode(value['x-lint-exceptions']))
        .filter((rule) => !used.has(keyOf(document, path, rule)))
        .map(
          (rule): LintFinding => ({
            linter: 'ours',
            rule: 'exception-stale',
            document,
            path: [...path, 'x-lint-exceptions', rule],
            message: `the exception to ${rule} is unused`,
            expected: 'an exception must be used.',
          }),
        ),
    ),
  )
}

function keyOf(document: string, path: JsonPath, rule: string): string {
  return `${document} ${pointerOf(path)} ${rule}`
}

import { exceptionOf } from '../rules/read/exceptions.ts'
import { asNode, type JsonPath, pointerOf } from '../rules/read/json.ts'
import { nodesIn } from '../rules/read/nodes.ts'
import { operationsIn } from '../rules/read/operations.ts'
import { type Rule, wholeDocument } from '../rules/read/rule.ts'
import { contextOf } from '../ruleset/ruleset.ts'
import type { Facts } from '../src/model.ts'
import type { Documents, LintFinding } from './finding.ts'

interface Excepted {
  document: string
  rule: string
  path: JsonPath
}

/**
 * Removes findings that the documents exempt with a reason, and adds a finding for each exemption that isn't needed.
 * `excepted` contains exempt findings from our own rules, which the ruleset has already removed.
 */
export function withoutExcepted(
  findings: LintFinding[],
  documents: Documents,
  excepted: Excepted[] = [],
): LintFinding[] {
  const carrierOf = ({ document, rule, path }: Excepted) => exceptionOf(rule, path, documents.get(document))
  const used = new Set<string>()
  for (const each of [...findings, ...excepted]) {
    const carrier = carrierOf(each)
    if (carrier) used.add(keyOf(each.document, carrier, each.rule))
  }
  return [...findings.filter((finding) => !carrierOf(finding)), ...staleExceptions(documents, used)]
}

/**
 * Returns the findings of our own rules that the documents exempt. The ruleset itself doesn't return these findings.
 */
export function findExceptedByOurs(documents: Documents, rules: Rule[], facts: Facts): Excepted[] {
  return [...documents].flatMap(([document, data]) => {
    const names = new Set(exceptionsIn(data).map(({ rule }) => rule))
    return rules
      .filter(({ id }) => names.has(id))
      .flatMap((rule) =>
        findingsOf(rule, data, facts)
          .filter(({ path }) => exceptionOf(rule.id, path, data))
          .map(({ path }) => ({ document, rule: rule.id, path })),
      )
  })
}

function findingsOf(rule: Rule, document: unknown, facts: Facts): { path: JsonPath }[] {
  const nodes = rule.given === wholeDocument ? [{ value: document, path: [] }] : operationsIn(document)
  return nodes.flatMap(({ value, path }) =>
    rule.function(value, contextOf(document, path, facts)).map((finding) => ({ path: finding.path ?? path })),
  )
}

function exceptionsIn(document: unknown): { rule: string; path: JsonPath }[] {
  return nodesIn(document).flatMap(({ value, path }) =>
    Object.keys(asNode(value['x-lint-exceptions'])).map((rule) => ({ rule, path })),
  )
}

function staleExceptions(documents: Documents, used: Set<string>): LintFinding[] {
  return [...documents].flatMap(([document, data]) =>
    exceptionsIn(data)
      .filter(({ rule, path }) => !used.has(keyOf(document, path, rule)))
      .map(
        ({ rule, path }): LintFinding => ({
          linter: 'ours',
          rule: 'exception-stale',
          document,
          path: [...path, 'x-lint-exceptions', rule],
          message: `the exception to ${rule} is unused`,
          expected: 'an exception must suppress at least one finding.',
        }),
      ),
  )
}

function keyOf(document: string, path: JsonPath, rule: string): string {
  return `${document} ${pointerOf(path)} ${rule}`
}

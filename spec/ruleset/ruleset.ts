import type { RulesetDefinition } from '@stoplight/spectral-core'
import { exceptionOf } from '../rules/read/exceptions.ts'
import { asNode, asText, type JsonPath } from '../rules/read/json.ts'
import type { Rule, RuleContext } from '../rules/read/rule.ts'
import type { Facts } from '../src/model.ts'
import { versionNumberOf } from '../src/version-number.ts'
import { otherDocuments } from './other-documents.ts'
import { placeOf, readFile } from './source-part.ts'

// Spectral requires the name `then` for a rule's action.
// This computed key prevents Biome from mistaking the rule for a promise.
const action = 'then'

/** Matches complete OpenAPI 3.1 documents. */
const openApi = Object.assign((document: unknown) => /^3\.1(\.|$)/.test(asText(asNode(document).openapi)), {
  displayName: 'OpenAPI 3.1',
})

/** Matches files that contain a part of a document, such as a path item, schema, parameter or response. */
const part = Object.assign((document: unknown) => placeOf(document, '') !== undefined, {
  displayName: 'part of an OpenAPI document',
})

/**
 * Converts our rules to a Spectral ruleset. Rules that work only with our own documents aren't `recommended`, so other
 * APIs can extend the ruleset without them.
 */
export function rulesetOf(rules: Rule[], facts: Facts): RulesetDefinition {
  return {
    rules: Object.fromEntries(rules.map((rule) => [rule.id, definitionOf(rule, facts)])),
  }
}

function definitionOf(rule: Rule, facts: Facts) {
  return {
    description: rule.message,
    message: '{{error}}',
    // The second expression is for files that contain only one path item.
    given: [...new Set([rule.given, rule.given.replace('$.paths[*]', '$')])],
    severity: 'error' as const,
    recommended: rule.scope !== 'ours',
    formats: [openApi, part],
    // Our rules resolve references themselves.
    // Spectral's resolved document doesn't contain keywords next to `$ref` (stoplightio/spectral#2947).
    resolved: false,
    [action]: { function: functionOf(rule, facts) },
  }
}

interface SpectralContext {
  path: JsonPath
  document: { data: unknown; source: string | null }
}

function functionOf(rule: Rule, facts: Facts) {
  return (input: unknown, _: unknown, { path, document: { data, source } }: SpectralContext) => {
    const { document, at, partial } = readFile(data, source ?? '')
    if (partial && !rule.readsSingleNodes) return []
    const node = path.length === 0 ? document : input
    const context = contextOf(document, [...at, ...path], facts, source ?? '')
    return rule
      .function(node, context)
      .map((finding) => ({ message: finding.message, path: finding.path ?? context.path }))
      .filter(({ path: found }) => !exceptionOf(rule.id, found, document))
      .filter(({ path: found }) => at.every((key, index) => found[index] === key))
      .map(({ message, path: found }) => ({ message, path: found.slice(at.length) }))
  }
}

export function contextOf(document: unknown, path: JsonPath, facts: Facts, source = ''): RuleContext {
  const number = asText(asNode(asNode(document).info).version)
  const version = facts.versions.find(({ id }) => versionNumberOf(id) === number)
  return { path, document, facts, documents: otherDocuments(source, facts), version }
}

import { type IFunctionResult, Ruleset, Spectral } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { asNode, asText, type JsonPath } from '../rules/read/json.ts'
import type { Rule, RuleContext } from '../rules/read/rule.ts'
import type { Facts } from '../src/model.ts'
import type { Documents, LintFinding, RuleSet } from './finding.ts'
import { ParameterResolver } from './parameter-resolver.ts'

/** Disabled rules of `spectral:oas`, with reasons. */
const switchedOff = [
  // examples-valid checks the same, and also defaults, parameters and headers, 60 times as fast.
  'oas3-valid-media-example',
  'oas3-valid-schema-example',
  // Its copy of the 3.1 schema rejects a Path Item `$ref` (stoplightio/spectral#2655, #2844), and doesn't
  // support `license.identifier` and newer keywords (#2855, #2739). Redocly's `struct` checks the same.
  'oas3-schema',
  // In OpenAPI 3.1, siblings of `$ref` are valid. The rule is for 3.0, but runs for both.
  'no-$ref-siblings',
  // Counts references from unused components. used-components starts from the operations.
  'oas3-unused-component',
  // Requires `items` in every array. 3.1 has `prefixItems`, and an array without either is valid JSON Schema.
  // array-bounds and named-object-schemas check ours.
  'array-items',
  // Visits every content of the resolved document, and in the unresolved one reports referenced examples as
  // empty. examples-present detects examples without a value, Redocly those with two.
  'oas3-examples-value-or-externalValue',
] as const

/**
 * Rules that visit every node. In the resolved document they would visit a component at each use, which turns
 * 1 MB into 100 MB. In the unresolved document they report the same at the component.
 */
const unresolved = [
  'duplicated-entry-in-enum',
  'typed-enum',
  'no-eval-in-markdown',
  'no-script-tags-in-markdown',
  'oas3_2-no-deprecated-xml-attribute',
] as const

/** Runs Spectral in this process, with `spectral:oas` and our own rules. */
export async function lintWithSpectral(
  documents: Documents,
  rules: Rule[],
  facts: Facts,
  set: RuleSet = 'all',
): Promise<LintFinding[]> {
  const applied = set === 'all' ? rules : rules.filter(({ structural }) => structural)
  const spectral = spectralWith(applied, facts, documents, true)
  const findings: LintFinding[] = []
  for (const [name, data] of documents) findings.push(...(await run(spectral, name, data, applied)))
  return findings
}

/** Runs one of our rules only, for the fixtures. */
export async function runRule(rule: Rule, document: unknown, facts: Facts): Promise<LintFinding[]> {
  const spectral = spectralWith([rule], facts, new Map(), false)
  // Spectral always reports broken references. Fixtures may omit what their rule doesn't read.
  return (await run(spectral, 'fixture', document, [rule])).filter((finding) => finding.rule === rule.id)
}

function spectralWith(rules: Rule[], facts: Facts, documents: Documents, withBuiltIn: boolean): Spectral {
  const spectral = new Spectral({ resolver: new ParameterResolver() })
  const builtIn = {
    ...Object.fromEntries(switchedOff.map((name) => [name, 'off'])),
    ...Object.fromEntries(unresolved.map((name) => [name, { ...oas.rules[name], resolved: false }])),
  }
  const definition = {
    ...(withBuiltIn ? { extends: [[oas, 'recommended']] } : {}),
    rules: {
      ...(withBuiltIn ? builtIn : {}),
      ...Object.fromEntries(rules.map((rule) => [rule.id, definitionOf(rule, facts, documents)])),
    },
  }
  spectral.setRuleset(new Ruleset(definition))
  return spectral
}

// Spectral's name for a rule's action is `then`. The computed key prevents readers and Biome from mistaking
// the definition for a promise.
const action = 'then'

function definitionOf(rule: Rule, facts: Facts, documents: Documents) {
  return {
    given: rule.given,
    message: '{{error}}',
    severity: 'error' as const,
    // Spectral's resolved document omits siblings of `$ref` (stoplightio/spectral#2947), so the rules resolve
    // references themselves.
    resolved: false,
    [action]: { function: functionOf(rule, facts, documents) },
  }
}

function functionOf(rule: Rule, facts: Facts, documents: Documents) {
  return (input: unknown, _: unknown, { path, document }: { path: JsonPath; document: { data: unknown } }) =>
    rule
      .function(input, contextOf(document.data, path, facts, documents))
      .map((finding): IFunctionResult => ({ message: finding.message, path: finding.path ?? path }))
}

export function contextOf(
  document: unknown,
  path: JsonPath,
  facts: Facts,
  documents: Documents,
): RuleContext {
  // The info.version of v1.0 is 1.0.
  const id = asText(asNode(asNode(document).info).version)
  const version = facts.versions.find((each) => each.id === id || each.id === `v${id}`)
  return { path, document, facts, documents, version }
}

async function run(spectral: Spectral, name: string, data: unknown, rules: Rule[]): Promise<LintFinding[]> {
  // Passed as parsed JSON: findings have pointers instead of line numbers, and parsing takes longer than the
  // rules.
  const parsed = { data, diagnostics: [], ast: {}, lineMap: [] }
  const results = await spectral.run({ parsed, getLocationForJsonPath: () => undefined, source: name })
  const own = new Map(rules.map((rule) => [rule.id, rule]))
  return results.map(({ code, path, message }) => {
    const rule = own.get(String(code))
    return {
      linter: rule ? 'ours' : 'spectral',
      rule: String(code),
      document: name,
      path,
      message,
      ...(rule ? { expected: rule.message } : {}),
    }
  })
}

import { type IFunctionResult, Ruleset, Spectral } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { asNode, asText, type JsonPath } from '../rules/read/json.ts'
import type { Rule, RuleContext } from '../rules/read/rule.ts'
import type { Facts } from '../src/model.ts'
import type { Documents, LintFinding, RuleSet } from './finding.ts'
import { ParameterResolver } from './parameter-resolver.ts'

/** The rules of `spectral:oas` that do not run, each with the reason. */
const switchedOff = [
  // Resolves and validates every example at 60 times the cost of examples-valid, which does the same and checks
  // defaults, parameters and headers as well: 0.9 s of 1.5 s for a document of fifteen operations.
  'oas3-valid-media-example',
  'oas3-valid-schema-example',
  // Its copy of the 3.1 schema refuses a Path Item `$ref` (stoplightio/spectral#2655, #2844) and knows neither
  // `license.identifier` nor newer keywords (#2855, #2739). Redocly's `struct` checks the same by another road.
  'oas3-schema',
  // OpenAPI 3.1 gives siblings of `$ref` a meaning; the rule is of 3.0 and runs on both.
  'no-$ref-siblings',
  // Counts a reference from another unused component as a use. used-components starts from the operations.
  'oas3-unused-component',
  // Wants `items` in every array. 3.1 has `prefixItems`, and an array without either is legal JSON Schema;
  // array-bounds and named-object-schemas look at ours.
  'array-items',
  // Runs through every content of the resolved document; unresolved, it takes an example by reference for an empty
  // one. examples-present sees examples without a value, Redocly those with a value twice.
  'oas3-examples-value-or-externalValue',
] as const

/**
 * Rules that look at every node. On the resolved document they would visit a component at each of its uses: 1 MB
 * becomes a hundred. Unresolved, they find the same at the component itself.
 */
const unresolved = [
  'duplicated-entry-in-enum',
  'typed-enum',
  'no-eval-in-markdown',
  'no-script-tags-in-markdown',
  'oas3_2-no-deprecated-xml-attribute',
] as const

/** Runs Spectral in this process on the documents, with `spectral:oas` and our own rules. */
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

/** Runs one rule of ours alone, as the fixtures do. */
export async function runRule(rule: Rule, document: unknown, facts: Facts): Promise<LintFinding[]> {
  const spectral = spectralWith([rule], facts, new Map(), false)
  // Spectral tells of dead references whatever the ruleset; a fixture may leave out what its rule does not read.
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

// Spectral calls what a rule does `then`. The key is computed, lest the definition look like a promise to a reader
// and to Biome.
const action = 'then'

function definitionOf(rule: Rule, facts: Facts, documents: Documents) {
  return {
    given: rule.given,
    message: '{{error}}',
    severity: 'error' as const,
    // Spectral's resolved document drops the siblings of `$ref` (stoplightio/spectral#2947); the rules follow
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
  // v1.0 calls itself 1.0 in info.version, which wants a version without the letter.
  const id = asText(asNode(asNode(document).info).version)
  const version = facts.versions.find((each) => each.id === id || each.id === `v${id}`)
  return { path, document, facts, documents, version }
}

async function run(spectral: Spectral, name: string, data: unknown, rules: Rule[]): Promise<LintFinding[]> {
  // Handed over parsed: the documents are our own JSON, pointers locate findings, and parsing for line numbers
  // takes longer than the rules do.
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

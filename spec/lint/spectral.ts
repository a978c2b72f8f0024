import { Ruleset, type RulesetDefinition, Spectral } from '@stoplight/spectral-core'
import type { Rule } from '../rules/read/rule.ts'
import { rulesetOf } from '../ruleset/ruleset.ts'
import type { Facts } from '../src/model.ts'
import type { Documents, LintFinding, RuleSet } from './finding.ts'
import { ParameterResolver } from './parameter-resolver.ts'

export interface SpectralOptions {
  rules: Rule[]
  ruleset: RulesetDefinition
  /** The paths of the document files, if the files exist. */
  files?: ReadonlyMap<string, string> | undefined
}

/** Returns the ruleset that the Spectral CLI and editors load. */
export async function repositoryRuleset(): Promise<RulesetDefinition & { extends: unknown[] }> {
  const { default: ruleset } = await import(new URL('../../.spectral.mjs', import.meta.url).href)
  return ruleset
}

/**
 * Returns the repository's ruleset. It contains either all of our rules, loaded from their source files, or only rules
 * that apply to any OpenAPI document.
 */
export async function rulesetFromSources(
  rules: Rule[],
  facts: Facts,
  set: RuleSet = 'all',
): Promise<RulesetDefinition> {
  const applied = set === 'all' ? rules : rules.filter(({ scope }) => scope === 'any')
  const ruleset = await repositoryRuleset()
  return Object.assign({ ...ruleset }, { extends: [ruleset.extends[0], [rulesetOf(applied, facts), 'all']] })
}

/** Runs Spectral in the current process. */
export async function lintWithSpectral(
  documents: Documents,
  { rules, ruleset, files }: SpectralOptions,
): Promise<LintFinding[]> {
  const spectral = spectralWith(ruleset)
  const findings: LintFinding[] = []
  for (const [name, data] of documents)
    findings.push(...(await run(spectral, name, data, rules, files?.get(name))))
  return findings
}

/** Runs one of our rules. Used to test a rule with its fixtures. */
export async function runRule(rule: Rule, document: unknown, facts: Facts): Promise<LintFinding[]> {
  // The ruleset applies only to OpenAPI 3.1, and fixtures contain only the fields that their rule reads, so add the
  // version here.
  const versioned = { openapi: '3.1.0', ...Object(document) }
  const ruleset: RulesetDefinition = { extends: [[rulesetOf([rule], facts), 'all']] }
  // Spectral always checks references, so remove its findings about broken references.
  const findings = await run(spectralWith(ruleset), 'fixture', versioned, [rule])
  return findings.filter((finding) => finding.rule === rule.id)
}

function spectralWith(definition: RulesetDefinition): Spectral {
  const spectral = new Spectral({ resolver: new ParameterResolver() })
  spectral.setRuleset(new Ruleset(definition))
  return spectral
}

async function run(
  spectral: Spectral,
  name: string,
  data: unknown,
  rules: Rule[],
  file = name,
): Promise<LintFinding[]> {
  // Pass parsed JSON to Spectral, because parsing the document again would take longer than running the rules.
  // As a result, findings have pointers but no line numbers.
  const parsed = { data, diagnostics: [], ast: {}, lineMap: [] }
  const results = await spectral.run({ parsed, getLocationForJsonPath: () => undefined, source: file })
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

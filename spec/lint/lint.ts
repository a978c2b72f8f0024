import type { RulesetDefinition } from '@stoplight/spectral-core'
import { readFacts } from '../build/sources.ts'
import { findExceptedByOurs, withoutExcepted } from './exceptions.ts'
import type { Documents, LintFinding, RuleSet } from './finding.ts'
import { lintFilesWithRedocly, lintWithRedocly } from './redocly.ts'
import { loadRules } from './rules.ts'

export interface LintOptions {
  /** The rules to apply. Ignored with `ruleset`. */
  set?: RuleSet
  /** The ruleset for Spectral, from the sources of the rules by default. */
  ruleset?: RulesetDefinition
  /** The documents on disk, if they exist already. */
  files?: ReadonlyMap<string, string>
}

/** Lints documents with both linters in parallel: Redocly in a child process, Spectral in this one. */
export async function lint(
  documents: Documents,
  { set = 'all', files, ruleset }: LintOptions = {},
): Promise<LintFinding[]> {
  const redocly = files ? lintFilesWithRedocly(files) : lintWithRedocly(documents)
  // Imported after Redocly has started, because loading Spectral takes most of a second.
  const [{ lintWithSpectral, rulesetFromSources }, rules] = await Promise.all([
    import('./spectral.ts'),
    loadRules(),
  ])
  const facts = readFacts()
  const applied = ruleset ?? (await rulesetFromSources(rules, facts, set))
  const findings = await Promise.all([
    redocly,
    lintWithSpectral(documents, { rules, ruleset: applied, files }),
  ])
  return withoutExcepted(findings.flat(), documents, findExceptedByOurs(documents, rules, facts))
}

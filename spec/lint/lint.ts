import type { RulesetDefinition } from '@stoplight/spectral-core'
import { readFacts } from '../build/sources.ts'
import { findExceptedByOurs, withoutExcepted } from './exceptions.ts'
import type { Documents, LintFinding, RuleSet } from './finding.ts'
import { lintFilesWithRedocly, lintWithRedocly } from './redocly.ts'
import { loadRules } from './rules.ts'

export interface LintOptions {
  /** Which of our rules to apply. Has no effect if `ruleset` is set. */
  set?: RuleSet
  /** Spectral's ruleset. By default, the ruleset is created from the source files of our rules. */
  ruleset?: RulesetDefinition
  /** The paths of the document files, if the files already exist. */
  files?: ReadonlyMap<string, string>
}

/**
 * Lints documents with both linters in parallel. Redocly runs in a child process, and Spectral runs in this process.
 */
export async function lint(
  documents: Documents,
  { set = 'all', files, ruleset }: LintOptions = {},
): Promise<LintFinding[]> {
  const redocly = files ? lintFilesWithRedocly(files) : lintWithRedocly(documents)
  // Start Redocly before importing Spectral, because the import takes almost a second.
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

import type { Facts } from '../src/model.ts'
import { withoutExcepted } from './exceptions.ts'
import type { Documents, LintFinding, RuleSet } from './finding.ts'
import { lintFilesWithRedocly, lintWithRedocly } from './redocly.ts'
import { loadRules } from './rules.ts'

/**
 * Lints documents with both linters at once: Redocly in a process of its own, Spectral in this one.
 * `files` spares writing the documents when they are on disk already.
 */
export async function lint(
  documents: Documents,
  facts: Facts,
  { set = 'all', files }: { set?: RuleSet; files?: ReadonlyMap<string, string> } = {},
): Promise<LintFinding[]> {
  const redocly = files ? lintFilesWithRedocly(files) : lintWithRedocly(documents)
  // Loaded after Redocly has started: Spectral takes most of a second to load.
  const [{ lintWithSpectral }, rules] = await Promise.all([import('./spectral.ts'), loadRules()])
  const findings = await Promise.all([redocly, lintWithSpectral(documents, rules, facts, set)])
  return withoutExcepted(findings.flat(), documents)
}

import type { Facts } from '../src/model.ts'
import { withoutExcepted } from './exceptions.ts'
import type { Documents, LintFinding, RuleSet } from './finding.ts'
import { lintFilesWithRedocly, lintWithRedocly } from './redocly.ts'
import { loadRules } from './rules.ts'

/**
 * Lints documents with both linters in parallel: Redocly in a child process, Spectral in this one. `files`
 * are the documents on disk, if they exist already.
 */
export async function lint(
  documents: Documents,
  facts: Facts,
  { set = 'all', files }: { set?: RuleSet; files?: ReadonlyMap<string, string> } = {},
): Promise<LintFinding[]> {
  const redocly = files ? lintFilesWithRedocly(files) : lintWithRedocly(documents)
  // Imported after Redocly has started, because loading Spectral takes most of a second.
  const [{ lintWithSpectral }, rules] = await Promise.all([import('./spectral.ts'), loadRules()])
  const findings = await Promise.all([redocly, lintWithSpectral(documents, rules, facts, set)])
  return withoutExcepted(findings.flat(), documents)
}

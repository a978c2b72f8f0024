import { unaccountedEntries, undecidedRequirements, unsourcedRequirements } from './accounts.ts'
import { disagreements, missingFacts } from './agreement.ts'
import { factsToCover, uncoveredFacts } from './coverage.ts'
import { idProblems } from './ids.ts'
import type { Ledger, ProblemList } from './model.ts'
import { unknownWords } from './words.ts'

/** Runs all of the ledger's checks. If there are no problems, the requirements cover the whole specification source. */
export function problemLists(ledger: Ledger): ProblemList[] {
  const { index, requirements } = ledger
  return [
    {
      id: 'unaccounted',
      title: 'index entries that no requirement covers',
      checked: index.length,
      problems: unaccountedEntries(ledger),
    },
    {
      id: 'unsourced',
      title: 'requirements with no source, an unknown source, or a source that does not fit their strength',
      checked: requirements.length,
      problems: unsourcedRequirements(ledger),
    },
    {
      id: 'undecided',
      title: 'decided requirements that no decision covers',
      checked: requirements.filter(({ strength }) => strength === 'decided').length,
      problems: undecidedRequirements(ledger),
    },
    {
      id: 'uncovered',
      title: 'facts in the documents that no requirement covers',
      checked: factsToCover(ledger).length,
      problems: uncoveredFacts(ledger),
    },
    {
      id: 'ids',
      title: 'IDs that are duplicated, malformed, missing or not recorded',
      checked: requirements.length + index.length,
      problems: idProblems(ledger),
    },
    {
      id: 'missing',
      title: 'facts that are in the index, but not in the documents',
      checked: index.flatMap(({ facts = [] }) => facts).length,
      problems: missingFacts(ledger),
    },
    {
      id: 'unknown-words',
      title: 'codes and values in requirement texts that do not occur in any fact',
      checked: requirements.length,
      problems: unknownWords(ledger),
    },
    {
      id: 'disagreeing',
      title: 'facts in the documents that differ from the index',
      checked: index.filter(({ holds, in: scope }) => holds ?? scope).length,
      problems: disagreements(ledger),
    },
  ]
}

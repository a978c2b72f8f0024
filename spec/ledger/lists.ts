import { unaccountedEntries, undecidedRequirements, unsourcedRequirements } from './accounts.ts'
import { disagreements, missingFacts } from './agreement.ts'
import { factsToCover, uncoveredFacts } from './coverage.ts'
import { idProblems } from './ids.ts'
import type { Ledger, ProblemList } from './model.ts'
import { unknownWords } from './words.ts'

/** Makes every list of the ledger. Nothing of the source is lost when all of them are empty. */
export function problemLists(ledger: Ledger): ProblemList[] {
  const { index, requirements } = ledger
  return [
    {
      id: 'unaccounted',
      title: 'entries of the index that no requirement accounts for',
      checked: index.length,
      problems: unaccountedEntries(ledger),
    },
    {
      id: 'unsourced',
      title: 'requirements without a source that the index has and their strength needs',
      checked: requirements.length,
      problems: unsourcedRequirements(ledger),
    },
    {
      id: 'undecided',
      title: 'decided requirements of which no decision speaks',
      checked: requirements.filter(({ strength }) => strength === 'decided').length,
      problems: undecidedRequirements(ledger),
    },
    {
      id: 'uncovered',
      title: 'facts of the documents without a requirement',
      checked: factsToCover(ledger).length,
      problems: uncoveredFacts(ledger),
    },
    {
      id: 'ids',
      title: 'ids that are repeated, ill-formed, gone or not recorded',
      checked: requirements.length + index.length,
      problems: idProblems(ledger),
    },
    {
      id: 'missing',
      title: 'facts that are named and do not exist',
      checked: index.flatMap(({ facts = [] }) => facts).length,
      problems: missingFacts(ledger),
    },
    {
      id: 'unknown-words',
      title: 'codes and values that a requirement names in its sentence and no fact has',
      checked: requirements.length,
      problems: unknownWords(ledger),
    },
    {
      id: 'disagreeing',
      title: 'facts that say something else than the index',
      checked: index.filter(({ holds, in: scope }) => holds ?? scope).length,
      problems: disagreements(ledger),
    },
  ]
}

import type { Ledger, Problem } from './model.ts'

/**
 * Matches error codes and API values, which are uppercase words with an underscore or uppercase words after an HTTP
 * status.
 */
const apiWords = /\b[A-Z][A-Z\d]*(?:_[A-Z\d]+)+\b|(?<=\b[45]\d\d )[A-Z][A-Z\d]+\b/g

/**
 * Lists codes and values that a requirement mentions but no fact contains. Such codes and values have probably been
 * renamed or misspelled.
 */
export function unknownWords({ requirements, documents, shared }: Ledger): Problem[] {
  const known = new Set<string>()
  for (const table of [shared, ...documents.values()])
    for (const [fact, says] of table) {
      known.add(fact.slice(fact.indexOf(':') + 1))
      collect(says, known)
    }
  return requirements.flatMap(({ id, text }) =>
    [...new Set(text.match(apiWords))]
      .filter((word) => !known.has(word))
      .map((word) => ({ at: id, says: `its text contains ${word}, which does not occur in any fact` })),
  )
}

/** Collects all strings inside a value. */
function collect(value: unknown, into: Set<string>): void {
  if (typeof value === 'string') into.add(value)
  else if (typeof value === 'object' && value !== null)
    for (const each of Object.values(value)) collect(each, into)
}

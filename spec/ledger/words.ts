import type { Ledger, Problem } from './model.ts'

/** Words of the API's own: in capitals with an underscore, or in capitals behind the status that they are sent with. */
const ownWords = /\b[A-Z][A-Z\d]*(?:_[A-Z\d]+)+\b|(?<=\b[45]\d\d )[A-Z][A-Z\d]+\b/g

/**
 * Lists the codes, values and other words of the API that the sentence of a requirement has and no fact: a name that
 * has changed since, or is misspelt.
 */
export function unknownWords({ requirements, documents, shared }: Ledger): Problem[] {
  const known = new Set<string>()
  for (const table of [shared, ...documents.values()])
    for (const [fact, says] of table) {
      known.add(fact.slice(fact.indexOf(':') + 1))
      collect(says, known)
    }
  return requirements.flatMap(({ id, text }) =>
    [...new Set(text.match(ownWords))]
      .filter((word) => !known.has(word))
      .map((word) => ({ at: id, says: `its sentence names ${word}, which no fact has` })),
  )
}

/** Every text that a fact has as a value. */
function collect(value: unknown, into: Set<string>): void {
  if (typeof value === 'string') into.add(value)
  else if (typeof value === 'object' && value !== null)
    for (const each of Object.values(value)) collect(each, into)
}

import { coveredKinds, covers, kindOf } from './fact-names.ts'
import type { Ledger, Problem } from './model.ts'

/** Lists the facts that must have a requirement: operations, parameters, fields, limits, states, errors and roles. */
export function factsToCover({ documents, shared }: Ledger): string[] {
  const kinds: readonly string[] = coveredKinds
  const all = new Set([...shared.keys(), ...[...documents.values()].flatMap((table) => [...table.keys()])])
  return [...all].filter((fact) => kinds.includes(kindOf(fact)))
}

/** Lists facts that no requirement mentions in `covers` or `operations`. */
export function uncoveredFacts(ledger: Ledger): Problem[] {
  const covering = new Set(
    ledger.requirements.flatMap(({ covers: named = [], operations = [] }) => [
      ...named,
      ...operations.map((id) => `operation:${id}`),
    ]),
  )
  return factsToCover(ledger)
    .filter((fact) => ![...covering].some((each) => covers(each, fact)))
    .map((fact) => ({ at: fact, says: 'no requirement covers it' }))
}

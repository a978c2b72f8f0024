import type { Json, JsonObject } from '../src/model.ts'
import { covers, kindOf } from './fact-names.ts'
import type { FactTable, IndexEntry, Ledger, Problem } from './model.ts'

const requirementPrefix = 'requirement:'

export const requirementsNamedBy = ({ facts = [] }: IndexEntry) =>
  facts
    .filter((fact) => fact.startsWith(requirementPrefix))
    .map((fact) => fact.slice(requirementPrefix.length))

const documentFactsOf = ({ facts = [] }: IndexEntry) =>
  facts.filter((fact) => !fact.startsWith(requirementPrefix))

/** Lists facts that the index or a requirement mentions, but that none of the documents contains. */
export function missingFacts({ index, requirements, documents, shared }: Ledger): Problem[] {
  const known = new Set([...shared.keys(), ...[...documents.values()].flatMap((table) => [...table.keys()])])
  const exists = (fact: string) =>
    known.has(fact) || (fact.includes('*') && [...known].some((each) => covers(fact, each)))
  const ids = new Set(requirements.map(({ id }) => id))
  return [
    ...index.flatMap((entry) => [
      ...documentFactsOf(entry)
        .filter((fact) => !exists(fact))
        .map((fact) => ({ at: entry.key, says: `${fact} doesn't exist` })),
      ...requirementsNamedBy(entry)
        .filter((id) => !ids.has(id))
        .map((id) => ({ at: entry.key, says: `requirement ${id} doesn't exist` })),
    ]),
    ...requirements.flatMap(({ id, covers: named = [], operations = [] }) =>
      [...named, ...operations.map((name) => `operation:${name}`)]
        .filter((fact) => !exists(fact))
        .map((fact) => ({ at: id, says: `${fact} doesn't exist` })),
    ),
  ]
}

/** Lists facts that have different values in a document and in the index, and facts that are in the wrong documents. */
export function disagreements(ledger: Ledger): Problem[] {
  return ledger.index.flatMap((entry) =>
    documentFactsOf(entry).flatMap((fact) => compare(entry, fact, ledger)),
  )
}

function compare(entry: IndexEntry, fact: string, { documents, shared }: Ledger): Problem[] {
  const [first = ''] = documentFactsOf(entry)
  const holds = kindOf(fact) === kindOf(first) ? entry.holds : undefined
  const own = shared.get(fact)
  if (own) return differences(holds, own).map((says) => ({ at: entry.key, says: `${fact}: ${says}`, fact }))
  const scope = entry.in ? scopeOf(entry.in, [...documents.keys()]) : undefined
  const byMessage = new Map<string, string[]>()
  for (const [document, table] of documents)
    for (const says of compareIn({ ...entry, holds }, fact, table, scope?.has(document)))
      byMessage.set(says, [...(byMessage.get(says) ?? []), document])
  return [...byMessage].map(([says, where]) => ({
    at: entry.key,
    says: `${fact}: ${says}${where.length === documents.size ? '' : ` (${where.join(', ')})`}`,
    fact,
    document: where[0] ?? '',
  }))
}

function compareIn(
  { holds, only }: { holds: JsonObject | undefined; only?: boolean },
  fact: string,
  table: FactTable,
  inScope?: boolean,
): string[] {
  const found = table.get(fact)
  if (inScope === false) return found && only ? ['must be absent'] : []
  if (!found) return inScope ? ['is missing'] : []
  return differences(holds, found)
}

/**
 * Returns the documents that a scope includes. A scope can be a document's ID, `v2` for all dates, or `2024-05-30+` for
 * this date and all later dates.
 */
export function scopeOf(scope: string[], documents: string[]): Set<string> {
  const isDate = (id: string) => /^\d{4}-/.test(id)
  return new Set(
    documents.filter((id) =>
      scope.some(
        (each) =>
          each === id ||
          (each === 'v2' && isDate(id)) ||
          (each.endsWith('+') && isDate(id) && id >= each.slice(0, -1)),
      ),
    ),
  )
}

function differences(holds: JsonObject | undefined, found: JsonObject): string[] {
  return Object.entries(holds ?? {}).flatMap(([name, wanted]) => {
    if (name.startsWith('includes ')) return lacking(name.slice('includes '.length), wanted, found)
    return same(wanted, found[name])
      ? []
      : [`${name} must be ${JSON.stringify(wanted)}, but is ${JSON.stringify(found[name])}`]
  })
}

function lacking(name: string, wanted: Json, found: JsonObject): string[] {
  const values = [found[name] ?? []].flat()
  const missing = [wanted].flat().filter((value) => !values.includes(value))
  return missing.length ? [`${name} lacks ${missing.join(', ')}`] : []
}

function same(wanted: Json, found: Json | undefined): boolean {
  if (Array.isArray(wanted) && Array.isArray(found))
    return wanted.length === found.length && wanted.every((value) => found.includes(value))
  return wanted === found
}

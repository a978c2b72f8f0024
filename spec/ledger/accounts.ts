import type { Requirement, Strength } from '../src/model.ts'
import { requirementsNamedBy } from './agreement.ts'
import { covers } from './fact-names.ts'
import type { IndexEntry, Ledger, Problem } from './model.ts'

/** Matches a reference to an RFC or to a section in an RFC. The index contains no RFCs. */
const rfc = /^RFC \d+( §\d+(\.\d+)*)?$/

/**
 * Compares a citation with an entry's key. The result is `exact` if the citation names the entry itself, and `section`
 * if the citation names the section that contains the entry.
 */
export function citation(source: string, key: string): 'exact' | 'section' | undefined {
  if (source === key) return 'exact'
  const inside = [`${source}/`, ...(/^[\d.]+$/.test(source) ? [`${source}.`] : [])]
  return inside.some((prefix) => key.startsWith(prefix)) ? 'section' : undefined
}

/** Lists the index entries that no requirement covers. */
export function unaccountedEntries({ index, requirements }: Ledger): Problem[] {
  return index
    .filter((entry) => !entry.excluded && !requirements.some((row) => accountsFor(row, entry)))
    .map((entry) => ({ at: entry.key, says: reasonOf(entry, requirements) }))
}

/**
 * Returns whether a requirement covers an entry. If the requirement cites only the whole section, it must also cover
 * one of the entry's facts.
 */
function accountsFor(row: Requirement, entry: IndexEntry): boolean {
  const cited = row.source.map((source) => citation(source, entry.key))
  if (cited.includes('exact')) return true
  if (!cited.includes('section')) return false
  return requirementsNamedBy(entry).includes(row.id) || meets(row, entry)
}

function meets({ covers: named = [], operations = [] }: Requirement, { facts = [] }: IndexEntry): boolean {
  const covering = [...named, ...operations.map((name) => `operation:${name}`)]
  return facts.some((fact) => covering.some((each) => covers(each, fact)))
}

function reasonOf(entry: IndexEntry, requirements: Requirement[]): string {
  const named = requirementsNamedBy(entry).filter((id) => requirements.some((row) => row.id === id))
  return named.length ? `${named.join(', ')} must cite this entry` : entry.says
}

/** Lists the requirements that have no source, an unknown source, or a source that doesn't match their strength. */
export function unsourcedRequirements({
  index,
  requirements,
}: {
  readonly index: readonly Pick<IndexEntry, 'key'>[]
  readonly requirements: readonly Pick<Requirement, 'id' | 'source' | 'strength'>[]
}): Problem[] {
  const keys = index.map(({ key }) => key)
  const exists = (source: string) => rfc.test(source) || keys.some((key) => citation(source, key))
  return requirements.flatMap(({ id, source, strength }) => [
    ...(source.length === 0 ? [{ at: id, says: 'has no source' }] : []),
    ...source
      .filter((each) => !exists(each))
      .map((each) => ({ at: id, says: `cites the unknown source ${each}` })),
    ...(source.length > 0 && !fits(strength, source)
      ? [
          {
            at: id,
            says: `is ${strength}, but cites ${strength === 'stated' ? 'no section of the specification source' : 'no decision or RFC'}`,
          },
        ]
      : []),
  ])
}

/**
 * Lists decided requirements that don't cite a specific decision. Citing only the heading above several decisions isn't
 * enough.
 */
export function undecidedRequirements({ index, requirements }: Ledger): Problem[] {
  const decisions = index.filter(({ key }) => key.startsWith('decided: '))
  return requirements
    .filter(({ strength, source }) => strength === 'decided' && !source.some((each) => rfc.test(each)))
    .filter((row) => !decisions.some((entry) => accountsFor(row, entry)))
    .map(({ id, source }) => ({ at: id, says: `no decision under ${source.join(', ')} covers it` }))
}

/**
 * Returns whether the sources match the strength. A stated requirement must cite a section of the specification source.
 * A decided requirement must cite one of our decisions, or an RFC that we decided to implement.
 */
function fits(strength: Strength, source: string[]): boolean {
  const isSection = (each: string) => /^\d/.test(each)
  if (strength === 'stated') return source.some(isSection)
  return strength === 'open' || !source.every(isSection)
}

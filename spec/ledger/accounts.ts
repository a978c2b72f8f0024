import type { Requirement, Strength } from '../src/model.ts'
import { requirementsNamedBy } from './agreement.ts'
import { covers } from './fact-names.ts'
import type { IndexEntry, Ledger, Problem } from './model.ts'

/** A section of an RFC, which needs no entry of the index. */
const rfc = /^RFC \d+( §\d+(\.\d+)*)?$/

/** Whether a citation is of an entry itself, of what it stands in, or of neither. */
export function citation(source: string, key: string): 'exact' | 'section' | undefined {
  if (source === key) return 'exact'
  const inside = [`${source}/`, ...(/^[\d.]+$/.test(source) ? [`${source}.`] : [])]
  return inside.some((prefix) => key.startsWith(prefix)) ? 'section' : undefined
}

/** Lists the entries of the index that no requirement accounts for. */
export function unaccountedEntries({ index, requirements }: Ledger): Problem[] {
  return index
    .filter((entry) => !entry.excluded && !requirements.some((row) => accountsFor(row, entry)))
    .map((entry) => ({ at: entry.key, says: reasonOf(entry, requirements) }))
}

/** A citation of a whole section accounts for an entry of it only when the requirement meets the entry's facts. */
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
  return named.length ? `${named.join(', ')} does not cite it` : entry.says
}

/** Lists the requirements whose source is missing, unknown, or not of the kind that their strength needs. */
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
    ...source.filter((each) => !exists(each)).map((each) => ({ at: id, says: `cites ${each}` })),
    ...(source.length > 0 && !fits(strength, source)
      ? [{ at: id, says: `is ${strength} and cites nothing that makes it so` }]
      : []),
  ])
}

/** Lists the decided requirements of which no single decision speaks: a heading that exists says nothing yet. */
export function undecidedRequirements({ index, requirements }: Ledger): Problem[] {
  const decisions = index.filter(({ key }) => key.startsWith('decided: '))
  return requirements
    .filter(({ strength, source }) => strength === 'decided' && !source.some((each) => rfc.test(each)))
    .filter((row) => !decisions.some((entry) => accountsFor(row, entry)))
    .map(({ id, source }) => ({ at: id, says: `no decision of ${source.join(', ')} speaks of it` }))
}

/** What is stated stands in a section; what is decided in a decision or in an RFC that a decision follows. */
function fits(strength: Strength, source: string[]): boolean {
  const isSection = (each: string) => /^\d/.test(each)
  if (strength === 'stated') return source.some(isSection)
  return strength === 'open' || !source.every(isSection)
}

import { datesOf } from '../rules/read/dates.ts'
import type { JsonPath } from '../rules/read/json.ts'
import { operationsIn } from '../rules/read/operations.ts'
import type { Requirement, VersionFact } from '../src/model.ts'
import { outsideOfScope } from '../src/scope.ts'
import type { Collector } from './change.ts'

/** The requirements, and the two versions to compare. */
export interface Promises {
  readonly requirements: readonly Requirement[]
  readonly versions: readonly VersionFact[]
  readonly from: string
  readonly to: string
}

/**
 * An operation that exists in both documents. If `operation` is omitted, only requirements that don't list operations
 * are compared.
 */
interface ComparedOperation {
  readonly operation?: string
  readonly path: JsonPath
  /** The date of the operation's version in each document, if there is one. */
  readonly older?: string | undefined
  readonly newer?: string | undefined
}

/**
 * Reports changes in behavior that the documents don't show. Requirements that exist in only one version, with no
 * related requirement in the other, count as breaking changes because their effect on callers is unknown.
 */
export function compareBehavior(
  before: unknown,
  after: unknown,
  { requirements, versions, from, to }: Promises,
  collector: Collector,
): void {
  const holds = (row: Requirement, id: string): boolean => {
    const version = versions.find((each) => each.id === id)
    return version !== undefined && outsideOfScope(row, version, versions) === undefined
  }
  for (const { operation, path, older, newer } of operationsInBoth(before, after)) {
    const [was, is] = [older ?? from, newer ?? to]
    const rows = requirements.filter(({ operations }) =>
      operation === undefined ? operations === undefined : operations?.includes(operation),
    )
    const ended = rows.filter((row) => holds(row, was) && !holds(row, is))
    const begun = rows.filter((row) => holds(row, is) && !holds(row, was))
    const say = (rule: string, text: string) => collector.add('breaking', rule, path, text, operation)
    for (const row of begun) {
      for (const old of ended.filter((each) => isOther('replaces', row, each)))
        say('behavior-changed', `${row.text} Before: ${old.text}`)
      if (!isReported(row, ended)) say('behavior-begun', `New behavior: ${row.text}`)
    }
    for (const row of ended)
      if (!isReported(row, begun)) say('behavior-ended', `Removed behavior: ${row.text}`)
  }
}

/** Returns the operations that exist in both documents. Added and removed operations are reported elsewhere. */
function operationsInBoth(before: unknown, after: unknown): ComparedOperation[] {
  const known = new Map(operationsIn(before).map((each) => [each.id, each]))
  const places = operationsIn(after).flatMap((operation): ComparedOperation[] => {
    const same = known.get(operation.id)
    const { id, path } = operation
    return same
      ? [{ operation: id, path, older: datesOf(before, same)[0], newer: datesOf(after, operation)[0] }]
      : []
  })
  return [{ path: ['paths'] }, ...places]
}

/**
 * Returns whether one requirement refers to the other. Checks both directions because only the newer requirement
 * contains the reference.
 */
const isOther = (kin: 'replaces' | 'repeats', row: Requirement, other: Requirement): boolean =>
  row[kin]?.includes(other.id) === true || other[kin]?.includes(row.id) === true

const isReported = (row: Requirement, others: readonly Requirement[]): boolean =>
  row.shownBy !== undefined ||
  others.some((other) => isOther('replaces', row, other) || isOther('repeats', row, other))

import { datesOf } from '../rules/read/dates.ts'
import type { JsonPath } from '../rules/read/json.ts'
import { operationsIn } from '../rules/read/operations.ts'
import type { Requirement, VersionFact } from '../src/model.ts'
import { outsideOfScope } from '../src/scope.ts'
import type { Collector } from './change.ts'

/** What implementations must do, and the versions in which they must. */
export interface Promises {
  readonly requirements: readonly Requirement[]
  readonly versions: readonly VersionFact[]
  /** The versions that the documents are of, by their ids. */
  readonly from: string
  readonly to: string
}

/** An operation that both documents have, or all of them where rows are about none in particular. */
interface Place {
  readonly operation?: string
  readonly path: JsonPath
  /** The date of it in each document; nothing where it has the version of the document. */
  readonly older?: string | undefined
  readonly newer?: string | undefined
}

/**
 * Tells what the same call comes to in one version and no more, or not yet, in the other, where the documents do not
 * show it. A row that begins or ends and of which nobody has written down what that means is taken for a break: to
 * pass it by would be to promise that no caller notices.
 */
export function compareBehaviour(
  before: unknown,
  after: unknown,
  { requirements, versions, from, to }: Promises,
  collector: Collector,
): void {
  const holds = (row: Requirement, id: string): boolean => {
    const version = versions.find((each) => each.id === id)
    return version !== undefined && outsideOfScope(row, version, versions) === undefined
  }
  for (const { operation, path, older, newer } of placesIn(before, after)) {
    const [was, is] = [older ?? from, newer ?? to]
    const rows = requirements.filter(({ operations }) =>
      operation === undefined ? operations === undefined : operations?.includes(operation),
    )
    const ended = rows.filter((row) => holds(row, was) && !holds(row, is))
    const begun = rows.filter((row) => holds(row, is) && !holds(row, was))
    const say = (rule: string, text: string) => collector.add('breaking', rule, path, text, operation)
    for (const row of begun) {
      for (const old of ended.filter((each) => isOther('replaces', row, each)))
        say('behaviour-changed', `${row.text} Before: ${old.text}`)
      if (!isTold(row, ended)) say('behaviour-begun', `Not so before: ${row.text}`)
    }
    for (const row of ended) if (!isTold(row, begun)) say('behaviour-ended', `No longer so: ${row.text}`)
  }
}

/** Operations that are in one of the documents alone are told of as such. */
function placesIn(before: unknown, after: unknown): Place[] {
  const known = new Map(operationsIn(before).map((each) => [each.id, each]))
  const places = operationsIn(after).flatMap((operation): Place[] => {
    const same = known.get(operation.id)
    const { id, path } = operation
    return same
      ? [{ operation: id, path, older: datesOf(before, same)[0], newer: datesOf(after, operation)[0] }]
      : []
  })
  return [{ path: ['paths'] }, ...places]
}

/** A row names those of other versions; from the newer one to the older it is the one that is named. */
const isOther = (kin: 'replaces' | 'repeats', row: Requirement, other: Requirement): boolean =>
  row[kin]?.includes(other.id) === true || other[kin]?.includes(row.id) === true

const isTold = (row: Requirement, others: readonly Requirement[]): boolean =>
  row.shownBy !== undefined ||
  others.some((other) => isOther('replaces', row, other) || isOther('repeats', row, other))

import { loadApi } from '../model/api.ts'
import type { Coverage } from '../model/result.ts'

/** The number of statuses that the documents declare, and how many of them occurred. */
export interface Share {
  readonly seen: number
  readonly declared: number
}

/**
 * Returns whether a run can trigger this status. A run can't make a target fail, limit requests or remove an operation.
 */
const isObservable = (status: number): boolean => status < 500 && status !== 410 && status !== 429

/**
 * Counts the statuses that the documents declare for each tested operation, and how many of them occurred. A target
 * never has to return 410, 429, or 500 and above, so these statuses don't count.
 */
export const statusesSeen = (
  coverage: readonly Coverage[],
  tested: readonly { readonly operation: string; readonly version: string }[],
): Share => {
  const places = new Set(tested.map(({ operation, version }) => `${operation}@${version}`))
  const came = new Set(coverage.map(({ operation, version, status }) => `${operation}@${version} ${status}`))
  const declared = loadApi()
    .cells.filter(({ key }) => places.has(key))
    .flatMap(({ key, definition }) =>
      [...definition.responses.keys()].filter(isObservable).map((status) => `${key} ${status}`),
    )
  return { seen: declared.filter((pair) => came.has(pair)).length, declared: declared.length }
}

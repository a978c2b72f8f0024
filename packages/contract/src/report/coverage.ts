import { loadApi } from '../model/api.ts'
import type { Coverage } from '../model/result.ts'

/** The number of declared statuses, and the number of these that occurred in responses. */
export interface Share {
  readonly seen: number
  readonly declared: number
}

/** Statuses that a run can't cause, because it can't make a target fail, limit requests or remove an operation. */
const isObservable = (status: number): boolean => status < 500 && status !== 410 && status !== 429

/**
 * Counts the declared pairs of operation and status for the tested operations, and how many of them occurred.
 * Statuses that a target never has to return (410, 429, and 500 and above) are excluded.
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

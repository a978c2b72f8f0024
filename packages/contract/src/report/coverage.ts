import { loadApi } from '../engine/api.ts'
import type { Coverage } from '../engine/bench.ts'

/** How many of the statuses that operations declare were seen. */
export interface Share {
  readonly seen: number
  readonly declared: number
}

/** Nobody can be asked for a fault of the server itself. */
const isAskable = (status: number): boolean => status < 500

/**
 * Pairs of operation and status: those that the documents declare for what was tried, and those of them that came.
 * Statuses of 500 and above are left out.
 */
export const statusesSeen = (
  coverage: readonly Coverage[],
  tried: readonly { readonly operation: string; readonly version: string }[],
): Share => {
  const places = new Set(tried.map(({ operation, version }) => `${operation}@${version}`))
  const came = new Set(coverage.map(({ operation, version, status }) => `${operation}@${version} ${status}`))
  const declared = loadApi()
    .cells.filter(({ key }) => places.has(key))
    .flatMap(({ key, definition }) =>
      [...definition.responses.keys()].filter(isAskable).map((status) => `${key} ${status}`),
    )
  return { seen: declared.filter((pair) => came.has(pair)).length, declared: declared.length }
}

import { loadApi } from '../engine/api.ts'
import type { Coverage } from '../engine/judging.ts'

/** How many of the statuses that operations declare were seen. */
export interface Share {
  readonly seen: number
  readonly declared: number
}

/** Nobody can be asked for a fault of the server itself, nor for a limit or a withdrawal that it need not have. */
const isAskable = (status: number): boolean => status < 500 && status !== 410 && status !== 429

/**
 * Pairs of operation and status: those that the documents declare for what was tried, and those of them that came.
 * Statuses that no target has to show are left out: 410, 429, and those of 500 and above.
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

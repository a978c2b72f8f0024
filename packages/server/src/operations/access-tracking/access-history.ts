import { limits } from '@svc-admin/types'
import { problem } from '../../domain/problem.ts'
import { Stored } from '../../domain/stored.ts'
import type { AccessLogQuery } from '../../persistence/access-logs.ts'
import type { Cluster } from '../../persistence/clusters.ts'
import type { OperationInput } from '../operation.ts'

type HistoryQuery = OperationInput<'listAccessLogsByCluster'>['query']

/**
 * Converts the query to a filter.
 *
 * @throws {Problem} `VALIDATION_ERROR` if only one of `start` and `end` is set, or if `start` is later than `end`.
 */
export function readHistoryQuery({ start, end, authResult, ipAddress, nLogs }: HistoryQuery): AccessLogQuery {
  if ((start === undefined) !== (end === undefined)) {
    const missing = start === undefined ? 'start' : 'end'
    throw problem('VALIDATION_ERROR', {
      detail: 'The query parameters start and end must be sent together.',
      parameters: [missing],
    })
  }
  if (start !== undefined && end !== undefined && start > end) {
    throw problem('VALIDATION_ERROR', {
      detail: 'The query parameter `start` must not be later than `end`.',
      parameters: ['start', 'end'],
    })
  }
  return {
    start: start ?? 0,
    end: end ?? Number.MAX_SAFE_INTEGER,
    onlySuccessful: authResult === true,
    ipAddress,
    limit: nLogs ?? limits.nLogs.default,
  }
}

const tiersWithout: readonly string[] = limits.tiersWithoutAccessHistory.values

/**
 * Checks that a cluster's tier supports access history.
 *
 * @param namedBy The path parameter that identifies the cluster.
 * @throws {Problem} `TIER_NOT_SUPPORTED` if the tier doesn't support access history.
 */
export function requireAccessHistory({ tier }: Cluster, namedBy: 'clusterName' | 'hostname'): void {
  if (!tiersWithout.includes(tier)) return
  throw problem('TIER_NOT_SUPPORTED', {
    detail: `Access history is not available for clusters of tier ${tier}.`,
    parameters: [namedBy],
  })
}

/** Builds the response from the stored entries without parsing them. */
export function historyOf(entries: readonly string[]): Stored<{ accessLogs: [] }> {
  return Stored.from(`{"accessLogs":[${entries.join(',')}]}`)
}

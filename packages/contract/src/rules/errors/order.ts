import { limits, type OperationId } from '@svc-admin/types'
import { both, forEach, inScope, onApi, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { kinds, smallClusters } from '../../given/clusters.ts'
import { notOffered, patterned, withInvalidInput } from '../../given/invalid-input.ts'
import { anonymous } from '../../http/authorization.ts'
import type { Cell } from '../../model/api.ts'
import type { CallChanges } from '../../model/call.ts'
import { expectError } from '../../model/expect.ts'
import { Untestable } from '../../model/signals.ts'
import { childPath } from '../../resources/backups.ts'
import { ownPolicy } from '../../resources/compliance.ts'
import { ownCluster, type ResourcePath, sendRequest, targetsProject } from '../../resources/own-resources.ts'
import { takeSnapshot } from '../../resources/snapshots.ts'
import { anyAuthorizationOf } from '../../run-context/holders.ts'

interface Clash {
  readonly label: string
  readonly code:
    | 'RESOURCE_NOT_FOUND'
    | 'METHOD_NOT_ALLOWED'
    | 'UNAUTHORIZED'
    | 'NOT_ACCEPTABLE'
    | 'VALIDATION_ERROR'
  readonly changes: (trial: Trial) => CallChanges
  readonly at?: (cell: Cell) => boolean
}

const isV2 = ({ version }: Cell): boolean => version.generation === 'v2'

const stranger = ({ context }: Trial) =>
  anyAuthorizationOf(context.target.others?.noRole, 'a caller without a role')

const hasPattern = (cell: Cell): boolean => patterned(cell).length > 0

const hasBody = ({ row }: Cell): boolean => row.hasBody

const isBelowProject = ({ operation }: Cell): boolean => operation.pathParameters.length > 1

/** Replaces the last resource in the path with a nonexistent resource. */
const ofNothing = ({ cell, random }: Trial): CallChanges => ({
  parameters: { [cell.operation.pathParameters.at(-1) ?? '']: random.hex(24) },
})

/** Requests with two errors. The response must show the error that has priority. */
const clashes: readonly Clash[] = [
  {
    label: 'unknown path before authentication',
    code: 'RESOURCE_NOT_FOUND',
    changes: ({ cell }) => ({ rawPath: `${cell.version.prefix}/noSuchPath`, as: anonymous, offRoute: true }),
  },
  {
    label: 'method before authentication',
    code: 'METHOD_NOT_ALLOWED',
    changes: ({ cell }) => ({ method: notOffered(cell)[0] ?? 'PUT', as: anonymous, offRoute: true }),
  },
  {
    label: 'authentication before version',
    code: 'UNAUTHORIZED',
    changes: () => ({ as: anonymous, accept: 'text/plain' }),
  },
  {
    label: 'authentication before path format',
    code: 'UNAUTHORIZED',
    changes: ({ cell }) => ({ ...withInvalidInput(cell, 'path'), as: anonymous }),
    at: hasPattern,
  },
  {
    label: 'authentication before query',
    code: 'UNAUTHORIZED',
    changes: () => ({ as: anonymous, query: [['noSuchParameter', '1']] }),
  },
  {
    label: 'version before path format',
    code: 'NOT_ACCEPTABLE',
    changes: ({ cell }) => ({ ...withInvalidInput(cell, 'path'), accept: 'text/plain' }),
    at: hasPattern,
  },
  {
    label: 'version before query',
    code: 'NOT_ACCEPTABLE',
    changes: () => ({ accept: 'text/plain', query: [['noSuchParameter', '1']] }),
    at: isV2,
  },
  {
    label: 'path format before role',
    code: 'VALIDATION_ERROR',
    changes: (trial) => ({ ...withInvalidInput(trial.cell, 'path'), as: stranger(trial) }),
    at: hasPattern,
  },
  {
    label: 'role before query',
    code: 'RESOURCE_NOT_FOUND',
    changes: (trial) => ({ as: stranger(trial), query: [['noSuchParameter', '1']] }),
    at: (cell) => inScope(cell) === true,
  },
  {
    label: 'query before resource',
    code: 'VALIDATION_ERROR',
    changes: (trial) => ({ ...ofNothing(trial), query: [['noSuchParameter', '1']] }),
    at: isBelowProject,
  },
  {
    label: 'authentication before body',
    code: 'UNAUTHORIZED',
    changes: ({ cell }) => ({ ...withInvalidInput(cell, 'body'), as: anonymous }),
    at: hasBody,
  },
  {
    label: 'version before body',
    code: 'NOT_ACCEPTABLE',
    changes: ({ cell }) => ({ ...withInvalidInput(cell, 'body'), accept: 'text/plain' }),
    at: hasBody,
  },
  {
    label: 'role before body',
    code: 'RESOURCE_NOT_FOUND',
    changes: (trial) => ({ ...withInvalidInput(trial.cell, 'body'), as: stranger(trial) }),
    at: (cell) => hasBody(cell) && inScope(cell) === true,
  },
  {
    label: 'body before resource',
    code: 'VALIDATION_ERROR',
    changes: (trial) => ({ ...withInvalidInput(trial.cell, 'body'), ...ofNothing(trial) }),
    at: (cell) => hasBody(cell) && isBelowProject(cell),
  },
]

/** Creates a cluster with a database version that doesn't support Search. */
const withoutSearch = (trial: Trial): Promise<ResourcePath> =>
  ownCluster(trial.context, { databaseVersion: '4.0.28' })

/** Returns one of the target's clusters whose tier doesn't provide access history. */
const withoutHistory = async (trial: Trial): Promise<ResourcePath> => {
  const [cluster] = smallClusters(trial.context)
  if (cluster?.hostname === undefined)
    throw new Untestable(`a cluster of the tier ${limits.tiersWithoutAccessHistory.values.join(' or ')}`)
  return childPath(targetsProject(trial), { clusterName: cluster.name, hostname: cluster.hostname })
}

/** Creates a cluster with a snapshot in progress. */
const beingSnapshotted = async (trial: Trial): Promise<ResourcePath> =>
  takeSnapshot(trial, await ownCluster(trial.context))

/** Creates a cluster in which a compliance policy prevents the deletion of snapshots. */
const underPolicy = async (trial: Trial): Promise<ResourcePath> =>
  ownCluster(trial.context, kinds.replicaSet, await ownPolicy(trial))

const histories: readonly OperationId[] = ['listAccessLogsByCluster', 'listAccessLogsByHostname']
const builders: readonly OperationId[] = ['createFtsIndex', 'createSearchIndex']

/** A request that the cluster's tier or state doesn't allow, and that also has another error. */
interface ArrangedClash extends Clash {
  readonly operations: readonly OperationId[]
  readonly place: (trial: Trial) => Promise<ResourcePath>
}

/** In all of these requests, the server must return the other error, because it must check the tier or state last. */
const arranged: readonly ArrangedClash[] = [
  {
    label: 'role before tier',
    code: 'RESOURCE_NOT_FOUND',
    operations: [...histories, ...builders],
    place: (trial) => (trial.cell.row.hasBody ? withoutSearch(trial) : withoutHistory(trial)),
    changes: (trial) => ({ as: stranger(trial) }),
  },
  {
    label: 'query before tier',
    code: 'VALIDATION_ERROR',
    operations: histories,
    place: withoutHistory,
    changes: () => ({ query: [['noSuchParameter', '1']] }),
  },
  {
    label: 'body before tier',
    code: 'VALIDATION_ERROR',
    operations: builders,
    place: withoutSearch,
    changes: ({ cell }) => withInvalidInput(cell, 'body'),
  },
  {
    label: 'role before state',
    code: 'RESOURCE_NOT_FOUND',
    operations: ['takeSnapshot'],
    place: beingSnapshotted,
    changes: (trial) => ({ as: stranger(trial) }),
  },
  {
    label: 'body before state',
    code: 'VALIDATION_ERROR',
    operations: ['takeSnapshot'],
    place: beingSnapshotted,
    changes: ({ cell }) => withInvalidInput(cell, 'body'),
  },
  {
    label: 'resource before state',
    code: 'RESOURCE_NOT_FOUND',
    operations: ['deleteSnapshot'],
    place: underPolicy,
    changes: ofNothing,
  },
]

const arrangedAt = ({ operation }: Cell): readonly ArrangedClash[] =>
  arranged.filter(({ operations }) => operations.includes(operation.id))

export default rules({
  'errors.order-of-checks': [
    forEach(
      (cell) => clashes.filter(({ at }) => at?.(cell) ?? true),
      ({ label }) => label,
      async (trial, { code, changes, label }) => expectError(await trial.try(changes(trial)), code, label),
      { at: onApi, phase: 'read' },
    ),
    forEach(
      arrangedAt,
      ({ label }) => label,
      async (trial, { code, changes, label, place }) =>
        expectError(await sendRequest(trial, await place(trial), changes(trial)), code, label),
      {
        at: both(
          onApi,
          (cell) => arrangedAt(cell).length > 0 || 'the operation depends on neither tier nor state',
        ),
      },
    ),
  ],
})

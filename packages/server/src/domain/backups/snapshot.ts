import { states } from '@svc-admin/types'
import type { StateMachine } from '../lifecycle.ts'
import { stateAt } from '../state-machine.ts'
import { Stored } from '../stored.ts'
import { timestamp } from '../timestamp.ts'
import { unobserved } from '../transition-pace.ts'
import type {
  PolicyItem,
  ReplicaSetSnapshotDocument,
  ServerlessSnapshotDocument,
  ShardedClusterSnapshotDocument,
  SnapshotDocument,
  SnapshotKind,
} from './backup-schemas.ts'
import { replicaSetNames, snapshotKindOf } from './cluster-kind.ts'

const machine: StateMachine = states.snapshot

export const initialSnapshotState = machine.initial

/** The state that snapshots must have before they can be restored or exported. */
export const completed = 'completed'

/** A stored snapshot without its document. */
export interface StoredSnapshot<D = SnapshotDocument> {
  readonly id: string
  readonly state: string
  readonly since: number
  /** The snapshot's size when completed. */
  readonly sizeBytes: number
  readonly document: Stored<D>
}

export function snapshotStateAt(stored: Pick<StoredSnapshot, 'id' | 'state' | 'since'>, now: number): string {
  return stateAt(machine, stored, now).state
}

const isFinal = (state: string) => states.snapshot.final.some((final) => final === state)

export const unfinishedStates: readonly string[] = states.snapshot.values.filter((state) => !isFinal(state))

export function isUnfinished(stored: Pick<StoredSnapshot, 'id' | 'state' | 'since'>, now: number): boolean {
  return !isFinal(snapshotStateAt(stored, now))
}

/**
 * Returns the time when a snapshot was completed, or undefined if the snapshot isn't completed yet. A job that waits
 * for the snapshot starts when the snapshot is completed. `queued.since` is the time when the snapshot was queued.
 */
export function completedAt(queued: Pick<StoredSnapshot, 'id' | 'since'>, now: number): number | undefined {
  const current = unobserved(() => stateAt(machine, { ...queued, state: machine.initial }, now))
  return current.state === completed ? current.since : undefined
}

export function shownSnapshot<D extends SnapshotDocument>(stored: StoredSnapshot<D>, now: number): Stored<D> {
  const status = snapshotStateAt(stored, now)
  if (status === stored.state) return stored.document
  const size = status === completed ? { storageSizeBytes: stored.sizeBytes } : {}
  return Stored.of({ ...stored.document.value(), status, ...size })
}

export function failedSnapshot<K extends StoredSnapshot>(stored: K, now: number): K {
  const state = 'failed'
  return { ...stored, state, since: now, document: Stored.of({ ...stored.document.value(), status: state }) }
}

const mebibyte = 2 ** 20

/** Returns a fictitious size between 1 and 2 GiB, which is always the same for a given ID. */
export function sizeOf(id: string): number {
  return (1024 + (Number.parseInt(id.slice(-4), 16) % 1024)) * mebibyte
}

/** The source cluster of the snapshot. */
export interface SnapshotSource {
  readonly name: string
  readonly type: string
  readonly provider: string
  readonly databaseVersion: string
}

/** The reason for taking a snapshot. */
export interface SnapshotPurpose {
  readonly id: string
  readonly at: number
  readonly expiresAt: number
  readonly description?: string | undefined
  /** The policy items that require this snapshot, least frequent first. On-demand snapshots have no policy items. */
  readonly items: readonly PolicyItem[]
  readonly copyRegions: readonly string[]
}

export function queuedSnapshot(
  source: SnapshotSource,
  purpose: SnapshotPurpose,
  nextId: () => string,
): { readonly kind: SnapshotKind; readonly document: SnapshotDocument } {
  const kind = snapshotKindOf(source)
  const { id, at, expiresAt, description, items } = purpose
  const [first] = items
  const shared = {
    id,
    ...(description === undefined ? {} : { description }),
    snapshotType: first ? 'scheduled' : 'onDemand',
    ...(first?.frequencyType === undefined ? {} : { frequencyType: first.frequencyType }),
    ...(first ? { policyItems: items.flatMap((item) => (item.id === undefined ? [] : [item.id])) } : {}),
    status: initialSnapshotState,
    createdAt: timestamp(at),
    expiresAt: timestamp(expiresAt),
    svcdVersion: source.databaseVersion,
  }
  if (kind === 'serverless') return { kind, document: ofServerless(shared, source) }
  if (kind === 'shardedCluster') return { kind, document: ofShards(shared, source, nextId) }
  return { kind, document: ofReplicaSet(shared, source, purpose.copyRegions) }
}

type Shared = Omit<ReplicaSetSnapshotDocument, 'type'>

function ofServerless(
  { description: _, policyItems: __, ...shared }: Shared,
  { name }: SnapshotSource,
): ServerlessSnapshotDocument {
  return { ...shared, serverlessInstanceName: name }
}

function ofReplicaSet(
  shared: Shared,
  source: SnapshotSource,
  copyRegions: readonly string[],
): ReplicaSetSnapshotDocument {
  return {
    ...shared,
    type: 'replicaSet',
    cloudProvider: source.provider,
    replicaSetName: replicaSetNames(source)[0] ?? source.name,
    ...(copyRegions.length > 0 ? { copyRegions: [...copyRegions] } : {}),
  }
}

function ofShards(
  shared: Shared,
  source: SnapshotSource,
  nextId: () => string,
): ShardedClusterSnapshotDocument {
  const members = replicaSetNames(source).map((replicaSetName) => ({
    cloudProvider: source.provider,
    id: nextId(),
    replicaSetName,
  }))
  return {
    ...shared,
    type: 'shardedCluster',
    configServerType: 'EMBEDDED',
    members,
    snapshotIds: members.map(({ id }) => id),
  }
}

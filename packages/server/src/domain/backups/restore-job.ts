import { states } from '@svc-admin/types'
import type { StateMachine } from '../lifecycle.ts'
import { problem } from '../problem.ts'
import { after, type CurrentState, stateAt } from '../state-machine.ts'
import { Stored } from '../stored.ts'
import { timeAfter, timestamp } from '../timestamp.ts'
import type { RestoreJobDocument } from './backup-schemas.ts'

const machine: StateMachine = states['restore-job']

export const initialRestoreState = machine.initial

/** A stored job without its document. */
export interface StoredRestoreJob {
  readonly id: string
  readonly state: string
  readonly since: number
  readonly document: Stored<RestoreJobDocument>
}

/** Returns a job's current state. Only downloads can expire. */
function currentAt({ id, state, since }: StoredRestoreJob, isDownload: boolean, now: number): CurrentState {
  return stateAt(machine, { id, state, since }, now, ({ to, afterSeconds }) =>
    to === 'expired' && !isDownload ? undefined : afterSeconds,
  )
}

export function shownRestoreJob(stored: StoredRestoreJob, now: number): Stored<RestoreJobDocument> {
  if (after(machine, stored.state, 'time') === undefined) return stored.document
  const document = stored.document.value()
  const isDownload = document.deliveryType === 'download'
  const current = currentAt(stored, isDownload, now)
  if (current.passed.length === 0) return stored.document
  const finishedAt = current.passed.find((one) => one.state === 'finished')?.at
  return Stored.of({
    ...document,
    expired: current.state === 'expired',
    ...(finishedAt === undefined ? {} : { finishedAt: timestamp(finishedAt) }),
    ...(finishedAt !== undefined && isDownload ? delivered(document, finishedAt) : {}),
  })
}

/**
 * Returns the job in its final state, or undefined if the job is still running. A completed download counts as final,
 * because its only remaining transition is to expire.
 */
export function finishedRestoreJob<K extends StoredRestoreJob>(stored: K, now: number): K | undefined {
  const { state, since, passed } = currentAt(stored, stored.document.value().deliveryType === 'download', now)
  return passed.length > 0 ? { ...stored, state, since, document: shownRestoreJob(stored, now) } : undefined
}

export function isRestoring(stored: StoredRestoreJob, now: number): boolean {
  const { state } = currentAt(stored, stored.document.value().deliveryType === 'download', now)
  return state === initialRestoreState
}

/**
 * Returns the job as failed or canceled.
 *
 * @throws {Problem} `INVALID_STATE` if the job has already ended.
 */
export function stoppedRestoreJob<K extends StoredRestoreJob>(
  stored: K,
  trigger: 'operation:cancelRestoreJob' | 'event',
  now: number,
): K {
  const document = stored.document.value()
  const current = currentAt(stored, document.deliveryType === 'download', now)
  const state = after(machine, current.state, trigger)
  if (state === undefined) {
    throw problem('INVALID_STATE', { detail: `The restore job must be running, but is ${current.state}.` })
  }
  const ended = { ...document, cancelled: state === 'cancelled', failed: state === 'failed' }
  return { ...stored, state, since: now, document: Stored.of(ended) }
}

export function restoreStateOf(
  job: Pick<RestoreJobDocument, 'cancelled' | 'expired' | 'failed'>,
  finished: boolean,
) {
  if (job.failed) return 'failed'
  if (job.cancelled) return 'cancelled'
  if (job.expired) return 'expired'
  return finished ? 'finished' : machine.initial
}

/** Returns the time when a job must start in order to finish at the given time. */
export function runningSince(finishesAt: number): number {
  const seconds = machine.transitions.find((one) => one.to === 'finished')?.afterSeconds ?? 0
  return timeAfter(finishesAt, -seconds * 1000)
}

/** Adds an expiration time and a download URL for each replica set. */
function delivered(document: RestoreJobDocument, finishedAt: number) {
  const { id, components = [] } = document
  const urlOf = (name: string) => `https://restore.svc.example/${id}/${encodeURIComponent(name)}.tar.gz`
  const shards = components.map((component) => ({
    ...component,
    downloadUrl: urlOf(component.replicaSetName ?? id),
  }))
  const lifetime = machine.transitions.find((one) => one.to === 'expired')?.afterSeconds ?? 0
  return {
    ...(shards.length > 0 ? { components: shards } : {}),
    deliveryUrl: shards.length > 0 ? shards.map((shard) => shard.downloadUrl) : [urlOf('data')],
    expiresAt: timestamp(finishedAt + lifetime * 1000),
  }
}

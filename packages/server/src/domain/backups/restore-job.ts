import { states } from '@svc-admin/types'
import { problem } from '../problem.ts'
import { after, type SeenState, type StateMachine, stateAt } from '../state-machine.ts'
import { Stored } from '../stored.ts'
import { momentAfter, timestamp } from '../timestamp.ts'
import type { RestoreJobDocument } from './backup-schemas.ts'

const machine: StateMachine = states['restore-job']

/** Where a job starts. */
export const initialRestoreState = machine.initial

/** What is kept of a job beside what is shown. */
export interface KeptRestoreJob {
  readonly id: string
  readonly state: string
  readonly since: number
  readonly document: Stored<RestoreJobDocument>
}

/** Only what can be downloaded is kept for a time; a cluster that was restored stays so. */
function seenAt({ id, state, since }: KeptRestoreJob, isDownload: boolean, now: number): SeenState {
  return stateAt(machine, { id, state, since }, now, ({ to, afterSeconds }) =>
    to === 'expired' && !isDownload ? undefined : afterSeconds,
  )
}

/** The job as of now. */
export function shownRestoreJob(kept: KeptRestoreJob, now: number): Stored<RestoreJobDocument> {
  if (after(machine, kept.state, 'time') === undefined) return kept.document
  const document = kept.document.value()
  const isDownload = document.deliveryType === 'download'
  const seen = seenAt(kept, isDownload, now)
  if (seen.passed.length === 0) return kept.document
  const finishedAt = seen.passed.find((one) => one.state === 'finished')?.at
  return Stored.of({
    ...document,
    expired: seen.state === 'expired',
    ...(finishedAt === undefined ? {} : { finishedAt: timestamp(finishedAt) }),
    ...(finishedAt !== undefined && isDownload ? delivered(document, finishedAt) : {}),
  })
}

/** The job as time has ended it by now, if it has: a download that is ready has only its expiry ahead. */
export function overRestoreJob<K extends KeptRestoreJob>(kept: K, now: number): K | undefined {
  const { state, since, passed } = seenAt(kept, kept.document.value().deliveryType === 'download', now)
  return passed.length > 0 ? { ...kept, state, since, document: shownRestoreJob(kept, now) } : undefined
}

/** Whether it has not come to an end yet, good or bad. */
export function isRestoring(kept: KeptRestoreJob, now: number): boolean {
  const { state } = seenAt(kept, kept.document.value().deliveryType === 'download', now)
  return state === initialRestoreState
}

/** The job after something put an end to it. @throws {Problem} `INVALID_STATE` if it has ended already. */
export function endedRestoreJob<K extends KeptRestoreJob>(
  kept: K,
  trigger: 'operation:cancelRestoreJob' | 'event',
  now: number,
): K {
  const document = kept.document.value()
  const seen = seenAt(kept, document.deliveryType === 'download', now)
  const state = after(machine, seen.state, trigger)
  if (state === undefined) {
    throw problem('INVALID_STATE', { detail: `The restore job must be running, but is ${seen.state}.` })
  }
  const ended = { ...document, cancelled: state === 'cancelled', failed: state === 'failed' }
  return { ...kept, state, since: now, document: Stored.of(ended) }
}

/** The state of a job that says so in its members alone. */
export function restoreStateOf(
  job: Pick<RestoreJobDocument, 'cancelled' | 'expired' | 'failed'>,
  finished: boolean,
) {
  if (job.failed) return 'failed'
  if (job.cancelled) return 'cancelled'
  if (job.expired) return 'expired'
  return finished ? 'finished' : machine.initial
}

/** When a job began to run that finishes at a moment. */
export function runningSince(finishesAt: number): number {
  const seconds = machine.transitions.find((one) => one.to === 'finished')?.afterSeconds ?? 0
  return momentAfter(finishesAt, -seconds * 1000)
}

/** One archive for each replica set, for a time. */
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

import { states } from '@svc-admin/types'
import type { StateMachine, StoredState } from '../lifecycle.ts'
import { problem } from '../problem.ts'
import { stateAt } from '../state-machine.ts'
import { Stored } from '../stored.ts'
import { timestamp } from '../timestamp.ts'
import type { ExportJobDocument } from './backup-schemas.ts'
import { completedAt } from './snapshot.ts'

const machine: StateMachine = states['export-job']

export const initialExportState = machine.initial

/**
 * The state of a job that is waiting for its snapshot to be completed. `since` is the time when the snapshot was
 * queued. This state is never returned in responses.
 */
export const awaitingSnapshot = 'AwaitingSnapshot'

/** The stored states of jobs that aren't finished, so their current state depends on the clock. */
export const runningExportStates: readonly string[] = [initialExportState, awaitingSnapshot]

/** A stored job without its document. */
export interface StoredExportJob {
  readonly id: string
  readonly state: string
  readonly since: number
  readonly document: Stored<ExportJobDocument>
}

export function shownExportJob(stored: StoredExportJob, now: number): Stored<ExportJobDocument> {
  const { document } = stored
  const begun = begunAt(stored, now)
  if (!begun) return document
  const current = stateAt(machine, begun, now)
  const last = current.passed.at(-1)
  if (!last) return document
  const value = document.value()
  if (current.dueAt !== undefined) {
    const done = (now - current.since) / (current.dueAt - current.since)
    return Stored.of({ ...value, state: current.state, exportStatus: progress(value, done) })
  }
  const finishedAt = timestamp(last.at)
  return Stored.of({ ...value, state: current.state, finishedAt, exportStatus: progress(value, 1) })
}

/**
 * Returns the job in its initial state, which it entered when its snapshot was completed. Returns undefined if the
 * snapshot isn't completed.
 */
function begunAt({ id, state, since, document }: StoredExportJob, now: number): StoredState | undefined {
  if (state !== awaitingSnapshot) return { id, state, since }
  const begun = completedAt({ id: document.value().snapshotId, since }, now)
  return begun === undefined ? undefined : { id, state: initialExportState, since: begun }
}

const isFinal = (state: string | undefined) => states['export-job'].final.some((final) => final === state)

export function hasEnded(stored: StoredExportJob, now: number): boolean {
  const { state } = shownExportJob(stored, now).value()
  return isFinal(state)
}

/** Returns the job in its final state, or undefined if the job is still running. */
export function finishedExportJob<K extends StoredExportJob>(stored: K, now: number): K | undefined {
  const document = shownExportJob(stored, now)
  const { state } = document.value()
  return state !== undefined && state !== stored.state && isFinal(state)
    ? { ...stored, state, since: now, document }
    : undefined
}

/**
 * Returns the job as failed or canceled.
 *
 * @throws {Problem} `INVALID_STATE` if the job has already ended.
 */
export function stoppedExportJob<K extends StoredExportJob>(
  stored: K,
  to: 'Failed' | 'Cancelled',
  stateReason: { readonly errorCode: string; readonly message: string },
  now: number,
): K {
  const shown = shownExportJob(stored, now).value()
  const isAllowed = machine.transitions.some(
    (one) => one.from === shown.state && one.to === to && one.trigger === 'event',
  )
  if (!isAllowed)
    throw problem('INVALID_STATE', {
      detail: `The export job cannot change from ${shown.state} to ${to}.`,
    })
  const document = Stored.of({ ...shown, state: to, stateReason, finishedAt: timestamp(now) })
  return { ...stored, state: to, since: now, document }
}

function progress({ exportStatus }: ExportJobDocument, share: number) {
  const total = exportStatus?.totalCollections ?? 0
  return { ...exportStatus, exportedCollections: Math.floor(total * share), totalCollections: total }
}

/** The folder of a cluster's exports in the bucket. `organization` and `project` are IDs or names. */
export interface ExportFolder {
  readonly organization: string
  readonly project: string
  readonly clusterName: string
}

interface ExportLocation extends ExportFolder {
  /** The time when the snapshot was taken. */
  readonly takenAt: string
}

export function exportPrefix({ organization, project, clusterName, takenAt }: ExportLocation): string {
  const minute = takenAt.slice(0, 16).replace(/:/g, '')
  return ['exported_snapshots', organization, project, clusterName, minute].join('/')
}

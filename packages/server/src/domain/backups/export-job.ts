import { states } from '@svc-admin/types'
import { problem } from '../problem.ts'
import { type StateMachine, stateAt } from '../state-machine.ts'
import { Stored } from '../stored.ts'
import { timestamp } from '../timestamp.ts'
import type { ExportJobDocument } from './backup-schemas.ts'

const machine: StateMachine = states['export-job']

/** Where a job starts. */
export const initialExportState = machine.initial

/** What is kept of a job beside what is shown. */
export interface KeptExportJob {
  readonly state: string
  /** When it was put in its state: one for a snapshot that is still being taken waits for that. */
  readonly since: number
  readonly document: Stored<ExportJobDocument>
}

/** The job as of now. */
export function shownExportJob(
  { state, since, document }: KeptExportJob,
  now: number,
): Stored<ExportJobDocument> {
  const seen = stateAt(machine, { state, since }, now)
  const last = seen.passed.at(-1)
  if (!last) return document
  const value = document.value()
  if (seen.dueAt !== undefined) {
    const done = (now - seen.since) / (seen.dueAt - seen.since)
    return Stored.of({ ...value, state: seen.state, exportStatus: progress(value, done) })
  }
  const finishedAt = timestamp(last.at)
  return Stored.of({ ...value, state: seen.state, finishedAt, exportStatus: progress(value, 1) })
}

/** The job after something went wrong. @throws {Problem} `INVALID_STATE` if it has ended already. */
export function endedExportJob<K extends KeptExportJob>(
  kept: K,
  to: 'Failed' | 'Cancelled',
  stateReason: { readonly errorCode: string; readonly message: string },
  now: number,
): K {
  const shown = shownExportJob(kept, now).value()
  const may = machine.transitions.some(
    (one) => one.from === shown.state && one.to === to && one.trigger === 'event',
  )
  if (!may) throw problem('INVALID_STATE', { detail: `The export job is ${shown.state}.` })
  const document = Stored.of({ ...shown, state: to, stateReason, finishedAt: timestamp(now) })
  return { ...kept, state: to, since: now, document }
}

function progress({ exportStatus }: ExportJobDocument, share: number) {
  const total = exportStatus?.totalCollections ?? 0
  return { ...exportStatus, exportedCollections: Math.floor(total * share), totalCollections: total }
}

/** Where in the bucket an export lies. */
export interface ExportPlace {
  readonly organization: string
  readonly project: string
  readonly clusterName: string
  /** When the snapshot was taken. */
  readonly takenAt: string
}

/** The path in the bucket that an export is written to. */
export function exportPrefix({ organization, project, clusterName, takenAt }: ExportPlace): string {
  const minute = takenAt.slice(0, 16).replace(/:/g, '')
  return ['exported_snapshots', organization, project, clusterName, minute].join('/')
}

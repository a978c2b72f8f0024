import { limits, states } from '@svc-admin/types'
import { after, type StateMachine, type StoredState, stateAt } from '../state-machine.ts'
import { timeAfter } from '../timestamp.ts'
import { failingMachine } from './failing-machine.ts'

const machine: StateMachine = states['live-migration']
const readyAfter = limits.liveMigrationReady.seconds

/** A migration as of a moment. */
export interface CurrentMigration {
  readonly status: string
  readonly readyForCutover: boolean
  /** How far the destination is behind the source; only a migration that works has a lag. */
  readonly lagTimeSeconds: number | undefined
}

export const initialMigration = states['live-migration'].initial

/** What time has made of a migration by now. The lag falls by one second each second. */
export function migrationAt(stored: StoredState, now: number): CurrentMigration {
  const { state: status, since } = stateAt(failingMachine(machine, stored), stored, now)
  if (status !== 'WORKING') return { status, readyForCutover: false, lagTimeSeconds: undefined }
  const lagTimeSeconds = Math.max(0, readyAfter - Math.floor((now - since) / 1000))
  return { status, readyForCutover: lagTimeSeconds === 0, lagTimeSeconds }
}

/** The state after cutting over, or undefined if the migration is not ready for it. */
export function cutOver(stored: StoredState, now: number): string | undefined {
  const { status, readyForCutover } = migrationAt(stored, now)
  return readyForCutover ? after(machine, status, 'operation:cutoverMigration') : undefined
}

/** The state after the copy broke off, or undefined if the migration is over. */
export function failedMigrationState(stored: StoredState, now: number): string | undefined {
  return after(machine, migrationAt(stored, now).status, 'event')
}

/** When a migration with this lag began to work. */
export function workingSince(lagTimeSeconds: number, now: number): number {
  return timeAfter(now, -Math.max(0, readyAfter - lagTimeSeconds) * 1000)
}

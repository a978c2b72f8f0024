import { limits, states } from '@svc-admin/types'
import type { StateMachine, StoredState } from '../lifecycle.ts'
import { after, stateAt } from '../state-machine.ts'
import { timeAfter } from '../timestamp.ts'
import { failingMachine } from './failing-machine.ts'

const machine: StateMachine = states['live-migration']
const readyAfter = limits.liveMigrationReady.seconds

/** A migration's state at a given time. */
export interface CurrentMigration {
  readonly status: string
  readonly readyForCutover: boolean
  /** The number of seconds that the destination lags behind the source, or undefined if the migration isn't running. */
  readonly lagTimeSeconds: number | undefined
}

export const initialMigration = states['live-migration'].initial

/** Returns a migration's current state. The migration lag decreases by one second per second. */
export function migrationAt(stored: StoredState, now: number): CurrentMigration {
  const { state: status, since } = stateAt(failingMachine(machine, stored), stored, now)
  if (status !== 'WORKING') return { status, readyForCutover: false, lagTimeSeconds: undefined }
  const lagTimeSeconds = Math.max(0, readyAfter - Math.floor((now - since) / 1000))
  return { status, readyForCutover: lagTimeSeconds === 0, lagTimeSeconds }
}

/** Returns a migration's state after the cutover, or undefined if the migration isn't ready. */
export function cutOver(stored: StoredState, now: number): string | undefined {
  const { status, readyForCutover } = migrationAt(stored, now)
  return readyForCutover ? after(machine, status, 'operation:cutoverMigration') : undefined
}

/** Returns a migration's state after a copy failure, or undefined if the migration has already ended. */
export function failedMigrationState(stored: StoredState, now: number): string | undefined {
  return after(machine, migrationAt(stored, now).status, 'event')
}

/** Returns the time when a migration with the given lag must have started. */
export function workingSince(lagTimeSeconds: number, now: number): number {
  return timeAfter(now, -Math.max(0, readyAfter - lagTimeSeconds) * 1000)
}

import { limits, states } from '@svc-admin/types'
import { after, type KeptState, type StateMachine, stateAt } from '../state-machine.ts'
import { momentAfter } from '../timestamp.ts'
import { doomed } from './doomed.ts'

const machine: StateMachine = states['live-migration']
const readyAfter = limits.liveMigrationReady.seconds

/** A migration as of a moment. */
export interface SeenMigration {
  readonly status: string
  readonly readyForCutover: boolean
  /** How far the destination is behind the source; only a migration that works has a lag. */
  readonly lagTimeSeconds: number | undefined
}

export const initialMigration = states['live-migration'].initial

/** What time has made of a migration by now. The lag falls by one second each second. */
export function migrationAt(kept: KeptState, now: number): SeenMigration {
  const { state: status, since } = stateAt(doomed(machine, kept), kept, now)
  if (status !== 'WORKING') return { status, readyForCutover: false, lagTimeSeconds: undefined }
  const lagTimeSeconds = Math.max(0, readyAfter - Math.floor((now - since) / 1000))
  return { status, readyForCutover: lagTimeSeconds === 0, lagTimeSeconds }
}

/** The state after cutting over, or undefined if the migration is not ready for it. */
export function cutOver(kept: KeptState, now: number): string | undefined {
  const { status, readyForCutover } = migrationAt(kept, now)
  return readyForCutover ? after(machine, status, 'operation:cutoverMigration') : undefined
}

/** The state after the copy broke off, or undefined if the migration is over. */
export function brokenOff(kept: KeptState, now: number): string | undefined {
  return after(machine, migrationAt(kept, now).status, 'event')
}

/** When a migration with this lag began to work. */
export function workingSince(lagTimeSeconds: number, now: number): number {
  return momentAfter(now, -Math.max(0, readyAfter - lagTimeSeconds) * 1000)
}

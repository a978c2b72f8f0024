import { states } from '@svc-admin/types'
import { type StoredState, stateAt } from './state-machine.ts'

const machine = states['outage-simulation']
const final: readonly string[] = machine.final

/** Whether a simulation is over by now: its cluster may have another. */
export const isOver = (simulation: StoredState, now: number): boolean =>
  final.includes(stateAt(machine, simulation, now).state)

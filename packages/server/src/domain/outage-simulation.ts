import { states } from '@svc-admin/types'
import { type KeptState, stateAt } from './state-machine.ts'

const machine = states['outage-simulation']
const final: readonly string[] = machine.final

/** Whether a simulation is over by now: its cluster may have another. */
export const isOver = (simulation: KeptState, now: number): boolean =>
  final.includes(stateAt(machine, simulation, now).state)
